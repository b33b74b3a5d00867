/* Up to 16 steps for one pass through main memory.
 *
 * A tile is 64 x 64 cells, for a few steps 64 x 128. With it come as many rows above and below as
 * it makes steps, and 32 columns on both sides, so that blocks begin with a transaction of 128
 * bytes: each step spoils one more row and column from outside, and what is left in the end is the
 * tile. So tiles need nothing of each other within a pass; between passes, which go from one grid
 * to another, is a barrier.
 *
 * A step is made in place. Going down, the new row takes the place of the row above, which nothing
 * needs any more; the next step goes up, and takes that of the row below. The last step lays its
 * rows side by side for the put. */
#include "simd.h"
#include "slave.h"
#include "stencil.h"

#define CPES 64
#define TILE_ROWS 64
#if STEPS_OF_PASS <= 4 /* that many rows more leave room for wider tiles */
#define TILE_COLUMNS 128
#else
#define TILE_COLUMNS 64
#endif
#define SIDE 32 /* columns on either side */
#define TILES_IN_ROW ((COLUMNS + TILE_COLUMNS - 1) / TILE_COLUMNS)
#define TILES ((ROWS + TILE_ROWS - 1) / TILE_ROWS * TILES_IN_ROW)
#define MOST_ROWS (TILE_ROWS + 2 * STEPS_OF_PASS)
#define MOST_COLUMNS (TILE_COLUMNS + 2 * SIDE)

#if COLUMNS % 4 == 0
#define LOAD simd_load
#define STORE simd_store
#else
#define LOAD simd_loadu
#define STORE simd_storeu
#endif
#define VECTORS 8 /* that are computed side by side, */
#define GROUP (4 * VECTORS)

typedef struct {
  int row, rows;       /* of the tile, */
  int column, columns; /* in the grid */
  int top, height;     /* of what lies in the LDM, */
  int left, width;     /* in the grid */
} Place;

__thread_local volatile int reply;
/* The rows lie behind a gap, which the first row of the result needs, and one of them is free. */
__thread_local float cells[TILE_COLUMNS + (MOST_ROWS + 1) * MOST_COLUMNS]
    __attribute__((aligned(32)));

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

static Place place_of(int tile, int steps) {
  Place p;
  p.row = tile / TILES_IN_ROW * TILE_ROWS;
  p.column = tile % TILES_IN_ROW * TILE_COLUMNS;
  p.rows = least(TILE_ROWS, ROWS - p.row);
  p.columns = least(TILE_COLUMNS, COLUMNS - p.column);
  p.top = most(p.row - steps, 0);
  p.left = most(p.column - SIDE, 0);
  p.height = least(p.row + p.rows + steps, ROWS) - p.top;
  p.width = least(p.column + p.columns + SIDE, COLUMNS) - p.left;
  return p;
}

/* `count` cells of a row; `to` may be `above` or `below`. Every addition has a load beside it: what
 * is above and below the next vectors is loaded with the last ones. */
static void compute_row(const float* above, const float* row, const float* below, float* to,
                        int count) {
  const floatv4 quarter = simd_set_floatv4(0.25F, 0.25F, 0.25F, 0.25F);
  floatv4 sum[VECTORS], next[VECTORS], v[VECTORS];
  int j = 0;
  if (count >= GROUP) {
    for (int k = 0; k < VECTORS; ++k) LOAD(next[k], above + 4 * k);
    for (int k = 0; k < VECTORS; ++k) LOAD(v[k], below + 4 * k);
  }
  for (; j + GROUP <= count; j += GROUP) {
    int ahead = j + 2 * GROUP <= count ? j + GROUP : j;
    for (int k = 0; k < VECTORS; ++k) {
      sum[k] = simd_vadds(next[k], v[k]);
      simd_loadu(v[k], row + j + 4 * k - 1);
    }
    for (int k = 0; k < VECTORS; ++k) {
      sum[k] = simd_vadds(sum[k], v[k]);
      simd_loadu(v[k], row + j + 4 * k + 1);
    }
    for (int k = 0; k < VECTORS; ++k) {
      sum[k] = simd_vadds(sum[k], v[k]);
      LOAD(next[k], above + ahead + 4 * k);
    }
    for (int k = 0; k < VECTORS; ++k) {
      sum[k] = simd_vmuls(sum[k], quarter);
      LOAD(v[k], below + ahead + 4 * k);
    }
    for (int k = 0; k < VECTORS; ++k) STORE(sum[k], to + j + 4 * k);
  }
  for (; j + 4 <= count; j += 4) {
    LOAD(sum[0], above + j);
    LOAD(v[0], below + j);
    simd_loadu(v[1], row + j - 1);
    simd_loadu(v[2], row + j + 1);
    sum[0] = simd_vadds(simd_vadds(simd_vadds(sum[0], v[0]), v[1]), v[2]);
    STORE(simd_vmuls(sum[0], quarter), to + j);
  }
  for (; j < count; ++j) to[j] = (((above[j] + below[j]) + row[j - 1]) + row[j + 1]) * 0.25F;
}

/* Row i of the LDM after a step, from column `from` to `until`; cells at the border stay. */
static void make_row(const Place* p, const float* first, int i, float* to, int from, int until) {
  const float* row = first + i * p->width + from;
  int count = until - from;
  if (p->top + i == 0 || p->top + i == ROWS - 1) {
    for (int j = 0; j < count; ++j) to[j] = row[j];
    return;
  }
  float left = row[0], right = row[count - 1];
  compute_row(row - p->width, row, row + p->width, to, count);
  if (p->left + from == 0) to[0] = left;
  if (p->left + until == COLUMNS) to[count - 1] = right;
}

/* All steps of a pass but the last one; gives where the first row then is. The columns are those
 * that the tile needs, and more if whole groups of vectors are there. */
static float* make_steps(const Place* p, int steps) {
  int reach = (steps + 2) / 4 * 4;
  int from = most(p->column - p->left - reach, 0);
  int until = least(p->column - p->left + p->columns + reach, p->width);
  until = least(from + (until - from + GROUP - 1) / GROUP * GROUP, p->width);
  from = most(until - (until - from + GROUP - 1) / GROUP * GROUP, 0);
  float* first = cells + TILE_COLUMNS + p->width;
  first[-1] = 0; /* vectors at the left border read it */
  for (int s = 0; s < steps - 1; ++s) {
    int begin = p->top == 0 ? 0 : s + 1;
    int end = p->top + p->height == ROWS ? p->height : p->height - 1 - s;
    if (s % 2 == 0) {
      for (int i = begin; i < end; ++i)
        make_row(p, first, i, first + (i - 1) * p->width + from, from, until);
      first -= p->width;
    } else {
      for (int i = end - 1; i >= begin; --i)
        make_row(p, first, i, first + (i + 1) * p->width + from, from, until);
      first += p->width;
    }
  }
  return first;
}

static void get_tile(const float* source, const Place* p) {
  reply = 0;
  athread_get(PE_MODE, (void*)(source + p->top * COLUMNS + p->left),
              cells + TILE_COLUMNS + p->width, p->height * p->width * 4, (void*)&reply, 0,
              (COLUMNS - p->width) * 4, p->width * 4);
  while (reply != 1)
    ;
}

static void make_tile(const Place* p, int steps, float* result) {
  const float* first = make_steps(p, steps);
  int above = p->row - p->top, beside = p->column - p->left;
  for (int i = 0; i < p->rows; ++i)
    make_row(p, first, above + i, cells + i * p->columns, beside, beside + p->columns);
  reply = 0;
  athread_put(PE_MODE, cells, result + p->row * COLUMNS + p->column, p->rows * p->columns * 4,
              (void*)&reply, (COLUMNS - p->columns) * 4, p->columns * 4);
  while (reply != 1)
    ;
}

/* The first tiles land mesh row after mesh row: from then on some rows compute while others have
 * transfers, and none of these has to share main memory with all. */
static void make_pass(const float* source, float* result, int steps) {
  int tile = athread_get_id(-1);
  Place p = place_of(tile, steps);
  if (_ROW > 0) athread_syn(ARRAY_SCOPE, 0xff | 3 << (7 + _ROW));
  if (tile < TILES) get_tile(source, &p);
  if (_ROW < 7) athread_syn(ARRAY_SCOPE, 0xff | 3 << (8 + _ROW));
  while (tile < TILES) {
    make_tile(&p, steps, result);
    tile += CPES;
    p = place_of(tile, steps);
    if (tile < TILES) get_tile(source, &p);
  }
}

void stencil(Parameters* shared) {
  Parameters p = *shared;
  const float* source = p.A;
  for (int pass = 0, done = 0; pass < PASSES; ++pass) {
    int steps = least(STEPS_OF_PASS, STEPS - done);
    float* result = (PASSES - pass) % 2 == 1 ? p.B : p.other;
    make_pass(source, result, steps);
    done += steps;
    source = result;
    if (pass + 1 < PASSES) athread_syn(ARRAY_SCOPE, 0xffff);
  }
}
