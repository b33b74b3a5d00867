/* Several rows of A: tiles of C are dealt out to the CPEs, and stay in the LDM while K goes by in
 * chunks; the next chunk of A and B is in flight while one is used. 4 rows x 16 columns of C are in
 * registers: 16 vmas for 8 loads. */
#include "matmul.h"
#include "simd.h"
#include "slave.h"

#if M > 1

/* The largest tile of which there are as many as CPEs. */
#define TASKS_OF(rows, columns) (WHOLE(M, rows) * WHOLE(N, columns))
#define ROWS (M <= 32 ? WHOLE(M, 4) * 4 : TASKS_OF(64, 32) >= CPES ? 64 : 32)
#define COLUMNS (TASKS_OF(ROWS, 64) >= CPES ? 64 : TASKS_OF(ROWS, 32) >= CPES ? 32 : 16)
#define CHUNK (ROWS + COLUMNS <= 96 ? 64 : 32)
#define COLUMN_TILES WHOLE(N, COLUMNS)
#define TASKS TASKS_OF(ROWS, COLUMNS)

__thread_local volatile int got[2], put;
__thread_local float a[2][ROWS * CHUNK] __attribute__((aligned(32)));
__thread_local float b[2][CHUNK * COLUMNS + 16] __attribute__((aligned(32)));
__thread_local float c[ROWS * COLUMNS] __attribute__((aligned(32)));

/* A part of K for a tile of C. */
typedef struct {
  int task, row, rows, column, columns, k, steps;
} Chunk;

static Chunk chunk_of(int task, int k) {
  int row = task / COLUMN_TILES * ROWS, column = task % COLUMN_TILES * COLUMNS;
  Chunk it = {
      task, row, LEAST(ROWS, M - row), column, LEAST(COLUMNS, N - column), k, LEAST(CHUNK, K - k)};
  return it;
}

static Chunk next_of(const Chunk* it) {
  return it->k + CHUNK < K ? chunk_of(it->task, it->k + CHUNK) : chunk_of(it->task + CPES, 0);
}

static void start(const Parameters* p, const Chunk* it, int half) {
  if (it->task >= TASKS) return;
  got[half] = 0;
  athread_get(PE_MODE, (void*)(p->A + it->row * K + it->k), a[half], it->rows * it->steps * 4,
              (void*)&got[half], 0, (K - it->steps) * 4, it->steps * 4);
  athread_get(PE_MODE, (void*)(p->B + it->k * N + it->column), b[half], it->steps * it->columns * 4,
              (void*)&got[half], 0, (N - it->columns) * 4, it->columns * 4);
}

/* 16 columns of a row. */
typedef struct {
  floatv4 v0, v1, v2, v3;
} Columns;

static inline Columns load(const float* from) {
  Columns c;
  simd_loadu(c.v0, from);
  simd_loadu(c.v1, from + 4);
  simd_loadu(c.v2, from + 8);
  simd_loadu(c.v3, from + 12);
  return c;
}

static inline void store(Columns c, float* to) {
  simd_store(c.v0, to);
  simd_store(c.v1, to + 4);
  simd_store(c.v2, to + 8);
  simd_store(c.v3, to + 12);
}

static inline Columns add_product(const float* number, Columns c, Columns sum) {
  floatv4 x;
  simd_loade(x, number);
  sum.v0 = simd_vmas(x, c.v0, sum.v0);
  sum.v1 = simd_vmas(x, c.v1, sum.v1);
  sum.v2 = simd_vmas(x, c.v2, sum.v2);
  sum.v3 = simd_vmas(x, c.v3, sum.v3);
  return sum;
}

/* Adds `steps` products to 4 rows x 16 columns; rows of a are `steps` long, of b `columns`. */
static void add_block(const float* a_row, const float* b_row, float* to, int steps, int columns) {
  Columns s0 = load(to), s1 = load(to + COLUMNS);
  Columns s2 = load(to + 2 * COLUMNS), s3 = load(to + 3 * COLUMNS);
  for (int k = 0; k < steps; ++k, ++a_row, b_row += columns) {
    Columns row = load(b_row);
    s0 = add_product(a_row, row, s0);
    s1 = add_product(a_row + steps, row, s1);
    s2 = add_product(a_row + 2 * steps, row, s2);
    s3 = add_product(a_row + 3 * steps, row, s3);
  }
  store(s0, to);
  store(s1, to + COLUMNS);
  store(s2, to + 2 * COLUMNS);
  store(s3, to + 3 * COLUMNS);
}

static void add_chunk(const Chunk* it, int half) {
  while (got[half] != 2)
    ;
  for (int m = 0; m < it->rows; m += 4)
    for (int n = 0; n < it->columns; n += 16)
      add_block(a[half] + m * it->steps, b[half] + n, c + m * COLUMNS + n, it->steps, it->columns);
}

static void clear(float* to, int floats) {
  floatv4 zero = simd_set_floatv4(0, 0, 0, 0);
  for (int n = 0; n < floats; n += 4) simd_store(zero, to + n);
}

/* A tile of C, its rows side by side, into main memory. */
static void finish(const Parameters* p, const Chunk* it) {
  for (int m = 0; m < it->rows; ++m)
    for (int n = 0; n < it->columns; ++n) {
      float sum = c[m * COLUMNS + n];
      c[m * it->columns + n] = RELU && sum < 0 ? 0 : sum;
    }
  put = 0;
  athread_put(PE_MODE, c, p->C + it->row * N + it->column, it->rows * it->columns * 4, (void*)&put,
              (N - it->columns) * 4, it->columns * 4);
  while (put != 1)
    ;
}

void matmul(Parameters* shared) {
  Parameters p = *shared;
  Chunk it = chunk_of(_MYID, 0);
  for (int half = 0; half < 2; ++half) {
    clear(a[half], ROWS * CHUNK);
    clear(b[half], CHUNK * COLUMNS + 16);
  }
  start(&p, &it, 0);
  for (int half = 0; it.task < TASKS; half = 1 - half) {
    Chunk next = next_of(&it);
    start(&p, &next, 1 - half);
    if (it.k == 0) clear(c, ROWS * COLUMNS);
    add_chunk(&it, half);
    if (it.k + it.steps == K) finish(&p, &it);
    it = next;
  }
}

#endif
