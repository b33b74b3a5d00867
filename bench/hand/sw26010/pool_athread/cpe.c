/* Main memory bounds it: each element is read once, but for rows that two tiles share.
 *
 * A CPE has neighbouring rows of the result, whatever channels they belong to, and goes through
 * them in tiles of one channel. The get of a tile begins and ends with whole transactions of 128
 * bytes, and is in flight while the tile before is computed; so is its put. A row of the result is
 * the greatest of each column, KERNEL rows in vectors, and then of KERNEL neighbours, which
 * shuffles bring together where the stride is 2. */
#include "pool.h"
#include "simd.h"
#include "slave.h"

#define CPES 64
#define ROWS (CHANNELS * OUT)
#define TRANSACTION 32 /* elements */
#define TOTAL (CHANNELS * SIZE * SIZE)

/* Rows of the result in a tile: those that 6 KB of A give, or what fits. */
#define LDM 14000 /* elements */
#define FITS ((LDM / 2 - 3 * TRANSACTION - SIZE - (KERNEL - STRIDE) * SIZE) / (STRIDE * SIZE + OUT))
#define ENOUGH ((1536 + STRIDE * SIZE - 1) / (STRIDE * SIZE))
#if FITS < 1
#error "KERNEL, SIZE: twice KERNEL + 1 rows of A and one of B must fit into 56000 bytes of the LDM"
#elif FITS < ENOUGH
#define TILE FITS
#else
#define TILE ENOUGH
#endif
#define LANDING (((TILE - 1) * STRIDE + KERNEL) * SIZE + 2 * TRANSACTION)

#if SIZE % 4 == 0
#define LOAD_OF_ROW simd_load
#else
#define LOAD_OF_ROW simd_loadu
#endif
#if OUT % 4 == 0
#define STORE_RESULT simd_store
#else
#define STORE_RESULT simd_storeu
#endif

__thread_local volatile int get_reply[2], put_reply[2] = {0, 0};
__thread_local int puts[2] = {0, 0}; /* that are in flight or done */
__thread_local float landing[2][LANDING] __attribute__((aligned(32)));
__thread_local float column[SIZE + 8] __attribute__((aligned(32)));
__thread_local float result[2][TILE * OUT + TRANSACTION] __attribute__((aligned(32)));

static int least(int a, int b) { return a < b ? a : b; }

/* Rows of the result from `row` on that one tile has. */
static int rows_of_tile(int row, int end) { return least(least(TILE, OUT - row % OUT), end - row); }

static int first_element(int row) { return (row / OUT * SIZE + row % OUT * STRIDE) * SIZE; }

static void start_get(const Parameters* p, int row, int end, int half) {
  int first = first_element(row);
  int last = first + ((rows_of_tile(row, end) - 1) * STRIDE + KERNEL) * SIZE;
  first -= first % TRANSACTION;
  last = least((last + TRANSACTION - 1) / TRANSACTION * TRANSACTION, TOTAL);
  get_reply[half] = 0;
  athread_get(PE_MODE, (void*)(p->A + first), landing[half], (last - first) * 4,
              (void*)&get_reply[half], 0, 0, 0);
}

static floatv4 greater(floatv4 a, floatv4 b) { return simd_vsellt(simd_vsubs(a, b), b, a); }

/* The greatest element of each column of KERNEL rows. */
static void reduce_columns(const float* from) {
  int x = 0;
  for (; x + 16 <= SIZE; x += 16) {
    floatv4 a0, a1, a2, a3, b0, b1, b2, b3;
    LOAD_OF_ROW(a0, from + x);
    LOAD_OF_ROW(a1, from + x + 4);
    LOAD_OF_ROW(a2, from + x + 8);
    LOAD_OF_ROW(a3, from + x + 12);
    for (int i = 1; i < KERNEL; ++i) {
      const float* row = from + i * SIZE + x;
      LOAD_OF_ROW(b0, row);
      LOAD_OF_ROW(b1, row + 4);
      LOAD_OF_ROW(b2, row + 8);
      LOAD_OF_ROW(b3, row + 12);
      a0 = greater(a0, b0);
      a1 = greater(a1, b1);
      a2 = greater(a2, b2);
      a3 = greater(a3, b3);
    }
    simd_store(a0, column + x);
    simd_store(a1, column + x + 4);
    simd_store(a2, column + x + 8);
    simd_store(a3, column + x + 12);
  }
  for (; x < SIZE; ++x) {
    float greatest = from[x];
    for (int i = 1; i < KERNEL; ++i)
      if (from[i * SIZE + x] > greatest) greatest = from[i * SIZE + x];
    column[x] = greatest;
  }
}

#if STRIDE == 1
static floatv4 four_results(int x) {
  floatv4 greatest, other;
  simd_load(greatest, column + x);
  for (int j = 1; j < KERNEL; ++j) {
    simd_loadu(other, column + x + j);
    greatest = greater(greatest, other);
  }
  return greatest;
}
#elif STRIDE == 2
static floatv4 four_results(int x) {
  floatv4 low, high, greatest;
  simd_load(low, column + 2 * x);
  simd_load(high, column + 2 * x + 4);
  greatest = simd_vshff(high, low, 0x88); /* even ones */
  if (KERNEL > 1) greatest = greater(greatest, simd_vshff(high, low, 0xdd));
  for (int j = 2; j < KERNEL; j += 2) {
    simd_loadu(low, column + 2 * x + j);
    simd_loadu(high, column + 2 * x + j + 4);
    greatest = greater(greatest, simd_vshff(high, low, 0x88));
    if (j + 1 < KERNEL) greatest = greater(greatest, simd_vshff(high, low, 0xdd));
  }
  return greatest;
}
#endif

/* The greatest of KERNEL neighbours in `column`. */
static void reduce_neighbours(float* to) {
  int x = 0;
#if STRIDE <= 2
  for (; x + 4 <= OUT; x += 4) STORE_RESULT(four_results(x), to + x);
#endif
  for (; x < OUT; ++x) {
    float greatest = column[x * STRIDE];
    for (int j = 1; j < KERNEL; ++j)
      if (column[x * STRIDE + j] > greatest) greatest = column[x * STRIDE + j];
    to[x] = greatest;
  }
}

/* Results lie as far behind a transaction as in B. */
static void compute_tile(int row, int rows, int half) {
  const float* from = landing[half] + first_element(row) % TRANSACTION;
  float* to = result[half] + row * OUT % TRANSACTION;
  for (int y = 0; y < rows; ++y) {
    reduce_columns(from + y * STRIDE * SIZE);
    reduce_neighbours(to + y * OUT);
  }
}

static void wait_for_put(int half) {
  while (put_reply[half] != puts[half])
    ;
}

/* Puts the results from `first` to `last`, but for the last transaction if it is not whole: that
 * goes into the other half, for the next tile to complete. Gives the first that was not put. */
static int start_put(const Parameters* p, int first, int last, int is_final, int half) {
  int stop = is_final ? last : last - last % TRANSACTION;
  if (stop < first) stop = first;
  int origin = first - first % TRANSACTION;
  put_reply[half] = 0;
  puts[half] = stop > first;
  if (stop > first)
    athread_put(PE_MODE, result[half] + (first - origin), p->B + first, (stop - first) * 4,
                (void*)&put_reply[half], 0, 0);
  wait_for_put(1 - half);
  for (int i = stop; i < last; ++i) result[1 - half][i % TRANSACTION] = result[half][i - origin];
  return stop;
}

void pool(Parameters* shared) {
  Parameters p = *shared;
  int id = athread_get_id(-1), half = 0;
  int begin = (long)ROWS * id / CPES, end = (long)ROWS * (id + 1) / CPES;
  int next_put = begin * OUT;
  for (int x = SIZE; x < SIZE + 8; ++x) column[x] = 0;
  if (begin < end) start_get(&p, begin, end, 0);
  for (int row = begin; row < end; half = 1 - half) {
    int rows = rows_of_tile(row, end), next = row + rows;
    if (next < end) start_get(&p, next, end, 1 - half);
    while (get_reply[half] != 1)
      ;
    compute_tile(row, rows, half);
    next_put = start_put(&p, next_put, next * OUT, next == end, half);
    row = next;
  }
  wait_for_put(0);
  wait_for_put(1);
}
