/* Main memory bounds it: a row is read once and written once.
 *
 * A tile is as many whole rows as fit and end with a transaction of 128 bytes, if there are such.
 * Three tiles lie in the LDM: one is computed in its place, the next lands, the one before leaves.
 *
 * exp(x) is 2 to the power of n times exp(r), where n is x / log(2) rounded, |r| at most log(2) /
 * 2, and exp(r) a polynomial of degree 6. Adding ALIGNER rounds, and leaves n in the lowest bits.
 * The vector operations on words see a float in memory alone: n and exp(r) are stored, and the
 * shifted n added to the exponent of exp(r) there, for a piece of a row at a time.
 *
 * Results differ from the exact ones of x - m, rounded to a float, by a relative error of 1e-6 at
 * most; those below 2e-38 may be 2e-38. */
#include "simd.h"
#include "slave.h"
#include "softmax.h"

#define CPES 64
#define TILES_IN_LDM 3
#define CAPACITY 4864 /* elements of a tile */

#if COLUMNS > CAPACITY
#error "COLUMNS: at most 4864, as three rows must fit into the LDM"
#endif

/* Rows until one begins with a transaction again. */
#if COLUMNS % 32 == 0
#define PERIOD 1
#elif COLUMNS % 16 == 0
#define PERIOD 2
#elif COLUMNS % 8 == 0
#define PERIOD 4
#elif COLUMNS % 4 == 0
#define PERIOD 8
#elif COLUMNS % 2 == 0
#define PERIOD 16
#else
#define PERIOD 32
#endif

/* Rows of a tile: about 8 KB, if these are not more than a CPE has. */
#define SHARE ((ROWS + CPES - 1) / CPES)
#define ENOUGH ((2048 + COLUMNS - 1) / COLUMNS)
#define WANTED ((SHARE < ENOUGH ? SHARE : ENOUGH))
#define ROUNDED ((WANTED + PERIOD - 1) / PERIOD * PERIOD)
#if ROUNDED * COLUMNS <= CAPACITY
#define TILE ROUNDED
#elif WANTED * COLUMNS <= CAPACITY
#define TILE WANTED
#else
#define TILE 1
#endif
#define TILES ((ROWS + TILE - 1) / TILE)

#if COLUMNS % 4 == 0
#define LOAD simd_load
#define STORE simd_store
#else
#define LOAD simd_loadu
#define STORE simd_storeu
#endif

#define PIECE 256           /* columns whose powers are made at once */
#define ALIGNER 12582912.0F /* 1.5 * 2^23 */
#define LEAST -87.0F        /* less is raised to this */

__thread_local volatile int get_reply[TILES_IN_LDM], put_reply[TILES_IN_LDM];
__thread_local float tiles[TILES_IN_LDM][TILE * COLUMNS] __attribute__((aligned(32)));

__thread_local float exponents[PIECE] __attribute__((aligned(32)));
__thread_local float powers[PIECE] __attribute__((aligned(32)));

static int least(int a, int b) { return a < b ? a : b; }

static int rows_of(int tile) { return tile < TILES - 1 ? TILE : ROWS - tile * TILE; }

static void start_get(const float* X, int tile, int place) {
  get_reply[place] = 0;
  athread_get(PE_MODE, (void*)(X + tile * TILE * COLUMNS), tiles[place],
              rows_of(tile) * COLUMNS * 4, (void*)&get_reply[place], 0, 0, 0);
}

static void start_put(float* Y, int tile, int place) {
  put_reply[place] = 0;
  athread_put(PE_MODE, tiles[place], Y + tile * TILE * COLUMNS, rows_of(tile) * COLUMNS * 4,
              (void*)&put_reply[place], 0, 0);
}

static floatv4 all(float x) { return simd_set_floatv4(x, x, x, x); }

static floatv4 greater(floatv4 a, floatv4 b) { return simd_vsellt(simd_vsubs(a, b), b, a); }

static float greatest_of(const float* row) {
  float greatest = row[0];
  int j = 0;
#if COLUMNS >= 16
  floatv4 m0, m1, m2, m3, v0, v1, v2, v3;
  LOAD(m0, row);
  LOAD(m1, row + 4);
  LOAD(m2, row + 8);
  LOAD(m3, row + 12);
  for (j = 16; j + 16 <= COLUMNS; j += 16) {
    LOAD(v0, row + j);
    LOAD(v1, row + j + 4);
    LOAD(v2, row + j + 8);
    LOAD(v3, row + j + 12);
    m0 = greater(m0, v0);
    m1 = greater(m1, v1);
    m2 = greater(m2, v2);
    m3 = greater(m3, v3);
  }
  m0 = greater(greater(m0, m1), greater(m2, m3));
  greatest = simd_vextf0(m0);
  if (simd_vextf1(m0) > greatest) greatest = simd_vextf1(m0);
  if (simd_vextf2(m0) > greatest) greatest = simd_vextf2(m0);
  if (simd_vextf3(m0) > greatest) greatest = simd_vextf3(m0);
#endif
  for (; j < COLUMNS; ++j)
    if (row[j] > greatest) greatest = row[j];
  return greatest;
}

static void step(floatv4* y, const floatv4* r, float coefficient) {
  for (int k = 0; k < 4; ++k) y[k] = simd_vmas(r[k], y[k], all(coefficient));
}

/* exp(x - greatest) of 16 numbers: where it is in `powers`, without its exponent. */
static void split(const floatv4* from, floatv4 greatest, int at) {
  floatv4 x[4], n[4], y[4];
  for (int k = 0; k < 4; ++k) x[k] = simd_vsubs(from[k], greatest);
  for (int k = 0; k < 4; ++k) x[k] = simd_vsellt(simd_vsubs(x[k], all(LEAST)), all(LEAST), x[k]);
  for (int k = 0; k < 4; ++k) n[k] = simd_vmas(x[k], all(1.44269504F), all(ALIGNER));
  for (int k = 0; k < 4; ++k) simd_store(n[k], exponents + at + 4 * k);
  for (int k = 0; k < 4; ++k) n[k] = simd_vsubs(n[k], all(ALIGNER));
  for (int k = 0; k < 4; ++k) x[k] = simd_vnmas(n[k], all(0.693359375F), x[k]);
  for (int k = 0; k < 4; ++k) x[k] = simd_vmas(n[k], all(2.12194440e-4F), x[k]);
  for (int k = 0; k < 4; ++k) y[k] = all(0x1.6a2352p-10F);
  step(y, x, 0x1.123a6cp-7F);
  step(y, x, 0x1.5558f4p-5F);
  step(y, x, 0x1.55549p-3F);
  step(y, x, 0x1.fffffcp-2F);
  step(y, x, 1);
  step(y, x, 1);
  for (int k = 0; k < 4; ++k) simd_store(y[k], powers + at + 4 * k);
}

/* Adds the exponents to the powers of 32 numbers. */
static void join(int at) {
  intv8 n[4], y[4];
  for (int k = 0; k < 4; ++k) simd_load(n[k], exponents + at + 8 * k);
  for (int k = 0; k < 4; ++k) simd_load(y[k], powers + at + 8 * k);
  for (int k = 0; k < 4; ++k) n[k] = simd_vsllw(n[k], 23);
  for (int k = 0; k < 4; ++k) y[k] = simd_vaddw(y[k], n[k]);
  for (int k = 0; k < 4; ++k) simd_store(y[k], powers + at + 8 * k);
}

/* The first `count` powers take the place of the numbers; gives their sum. */
static double move_powers(float* to, int count) {
  floatv4 sum[4] = {all(0), all(0), all(0), all(0)}, v[4];
  double total = 0;
  int j = 0;
  for (; j + 16 <= count; j += 16) {
    for (int k = 0; k < 4; ++k) simd_load(v[k], powers + j + 4 * k);
    for (int k = 0; k < 4; ++k) STORE(v[k], to + j + 4 * k);
    for (int k = 0; k < 4; ++k) sum[k] = simd_vadds(sum[k], v[k]);
  }
  for (; j < count; ++j) total += to[j] = powers[j];
  v[0] = simd_vadds(simd_vadds(sum[0], sum[1]), simd_vadds(sum[2], sum[3]));
  return total + simd_vextf0(v[0]) + simd_vextf1(v[0]) + simd_vextf2(v[0]) + simd_vextf3(v[0]);
}

/* The powers of at most PIECE numbers in their place; gives their sum. */
static double raise(float* x, int count, floatv4 greatest) {
  floatv4 v[4];
  int j = 0;
  for (; j + 16 <= count; j += 16) {
    for (int k = 0; k < 4; ++k) LOAD(v[k], x + j + 4 * k);
    split(v, greatest, j);
  }
  if (j < count) {
    float rest[16] __attribute__((aligned(32)));
    for (int k = 0; k < 16; ++k) rest[k] = j + k < count ? x[j + k] : x[j];
    for (int k = 0; k < 4; ++k) simd_load(v[k], rest + 4 * k);
    split(v, greatest, j);
  }
  for (j = 0; j < count; j += 32) join(j);
  return move_powers(x, count);
}

static void multiply(float* row, float by) {
  floatv4 factor, v0, v1, v2, v3;
  int j = 0;
  simd_loade(factor, &by);
  for (; j + 16 <= COLUMNS; j += 16) {
    LOAD(v0, row + j);
    LOAD(v1, row + j + 4);
    LOAD(v2, row + j + 8);
    LOAD(v3, row + j + 12);
    STORE(simd_vmuls(v0, factor), row + j);
    STORE(simd_vmuls(v1, factor), row + j + 4);
    STORE(simd_vmuls(v2, factor), row + j + 8);
    STORE(simd_vmuls(v3, factor), row + j + 12);
  }
  for (; j < COLUMNS; ++j) row[j] *= by;
}

static void compute(float* rows, int count) {
  for (float* row = rows; row < rows + count * COLUMNS; row += COLUMNS) {
    floatv4 greatest = all(greatest_of(row));
    double sum = 0;
    for (int j = 0; j < COLUMNS; j += PIECE)
      sum += raise(row + j, least(PIECE, COLUMNS - j), greatest);
    multiply(row, 1 / sum);
  }
}

void softmax(Parameters* shared) {
  Parameters p = *shared;
  int first = athread_get_id(-1), count = 0;
  for (int j = 0; j < PIECE; ++j) exponents[j] = powers[j] = 0;
  if (first < TILES) start_get(p.X, first, 0);
  for (int tile = first; tile < TILES; tile += CPES, ++count) {
    int place = count % TILES_IN_LDM, next = (count + 1) % TILES_IN_LDM;
    if (tile + CPES < TILES) {
      if (count >= 2)
        while (put_reply[next] != 1)
          ;
      start_get(p.X, tile + CPES, next);
    }
    while (get_reply[place] != 1)
      ;
    compute(tiles[place], rows_of(tile));
    start_put(p.Y, tile, place);
  }
  for (int place = 0; place < TILES_IN_LDM && place < count; ++place)
    while (put_reply[place] != 1)
      ;
}
