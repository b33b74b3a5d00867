/* A product of a matrix and a vector on the mesh: W is read once, in blocks as long as they can be.
 *
 * A row of the mesh has an eighth of the rows of W, and a column an eighth of each of these rows,
 * so that a CPE needs an eighth of x alone: the CPEs of the first row read it and send it along
 * their columns. Rows of W land in one of two buffers while those in the other one are multiplied,
 * which takes a small part of the time. In the end the sums of a row of the mesh are added
 * pairwise. */
#include "fc.h"
#include "simd.h"
#include "slave.h"

#define ROWS_AT_ONCE CEIL(2048, PART)
#define TILES CEIL(ROWS, ROWS_AT_ONCE)

__thread_local float x[PART] __attribute__((aligned(128)));
__thread_local float w[2][ROWS_AT_ONCE * PART] __attribute__((aligned(128)));
__thread_local float sums[ROWS] __attribute__((aligned(128)));
__thread_local volatile int got[2], got_x, put;

static int clipped(int n, int most) { return n < 0 ? 0 : n < most ? n : most; }
static int my_inputs(void) { return clipped(INPUTS - _COL * PART, PART); }
static int my_rows(void) { return clipped(OUTPUTS - _ROW * ROWS, ROWS); }
static int rows_of(int tile) { return clipped(my_rows() - tile * ROWS_AT_ONCE, ROWS_AT_ONCE); }

static void start_x(const float* from) {
  for (int k = 0; k < PART; ++k) x[k] = 0;
  if (_ROW != 0 || my_inputs() == 0) return;
  got_x = 0;
  athread_get(PE_MODE, (void*)(from + _COL * PART), x, my_inputs() * 4, (void*)&got_x, 0, 0, 0);
}

/* Sends the part of x, with zeros behind its end, along the column. */
static void share_x(void) {
  doublev4 v;
  if (_ROW == 0 && my_inputs() > 0)
    while (got_x != 1)
      ;
  for (int k = 0; k < PART; k += 8)
    if (_ROW == 0) {
      simd_loadc(v, x + k);
    } else {
      simd_getc(v);
      simd_store(v, x + k);
    }
}

static void start(const struct fc* fc, int tile) {
  int inputs = my_inputs(), rows = rows_of(tile), which = tile % 2;
  int row = _ROW * ROWS + tile * ROWS_AT_ONCE;
  if (inputs == 0 || rows == 0) return;
  got[which] = 0;
  athread_get(PE_MODE, (void*)(fc->W + (long)row * INPUTS + _COL * PART), w[which],
              rows * inputs * 4, (void*)&got[which], 0, (INPUTS - inputs) * 4, inputs * 4);
}

/* The product of x and `count` numbers, which lie where vectors may lie if INPUTS allows it. */
static float product(const float* row, int count) {
  floatv4 a, b, c, d, even = simd_set_floatv4(0, 0, 0, 0), odd = even;
  int k = 0;
#if INPUTS % 4 == 0
  for (; k + 8 <= count; k += 8) {
    simd_load(a, row + k);
    simd_load(b, x + k);
    simd_load(c, row + k + 4);
    simd_load(d, x + k + 4);
    even = simd_vmas(a, b, even);
    odd = simd_vmas(c, d, odd);
  }
#endif
  even = even + odd;
  float sum = even[0] + even[1] + (even[2] + even[3]);
  for (; k < count; ++k) sum += row[k] * x[k];
  return sum;
}

static void multiply(int tile) {
  int inputs = my_inputs(), rows = rows_of(tile), which = tile % 2;
  if (inputs == 0 || rows == 0) return;
  while (got[which] != 1)
    ;
  for (int r = 0; r < rows; ++r)
    sums[tile * ROWS_AT_ONCE + r] = product(w[which] + r * inputs, inputs);
}

/* Adds the sums of a row of the mesh, to the CPE of column 0. */
static void add_all(void) {
  for (int apart = 1; apart < 8; apart *= 2) {
    athread_syn(ROW_SCOPE, 0xff);
    if (_COL % apart != 0) continue;
    for (int r = 0; r < ROWS; r += 4) {
      floatv4 mine, other;
      simd_load(mine, sums + r);
      if (_COL % (2 * apart) == 0) {
        simd_getr(other);
        mine = mine + other;
        simd_store(mine, sums + r);
      } else {
        simd_putr(mine, _COL - apart);
      }
    }
  }
}

static void store(const struct fc* fc) {
  if (RELU)
    for (int r = 0; r < my_rows(); ++r) sums[r] = sums[r] < 0 ? 0 : sums[r];
  put = 0;
  athread_put(PE_MODE, sums, fc->y + _ROW * ROWS, my_rows() * 4, (void*)&put, 0, 0);
  while (put != 1)
    ;
}

void fc(struct fc* shared) {
  struct fc fc = *shared;
  for (int r = 0; r < ROWS; ++r) sums[r] = 0;
  start_x(fc.x);
  start(&fc, 0);
  share_x();
  for (int tile = 0; tile < TILES; ++tile) {
    if (tile + 1 < TILES) start(&fc, tile + 1);
    multiply(tile);
  }
  add_all();
  if (_COL == 0 && my_rows() > 0) store(&fc);
}
