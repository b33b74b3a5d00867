/* Tiles of the result are dealt out to the CPEs. The sums of a tile stay in the LDM while the
 * channels of the image come, as many at once as fit (a chunk). The next chunk, of the image and of
 * the weights, is on its way while this one is computed, and so is the result before.
 *
 * What has landed is laid out anew: the image with its zeros around it, so that the loops have no
 * edges; the weights transposed, so that one vector is 4 channels of the result. The innermost loop
 * is assembly (add_blocks.S): 7 pixels x 8 channels in registers. */
#include "conv.h"
#include "simd.h"
#include "slave.h"

/* A tile of the result, and the part of the image that it is made of. */
typedef struct {
  int filter, filters, y, rows, x, columns;
  int top, above, in_rows;      /* first row, rows of zeros above it, rows */
  int left, before, in_columns; /* first column, columns of zeros before it, columns */
} Tile;

typedef struct {
  Tile tile;
  int task, channel, channels;
  int new_weights; /* others than those before */
  int pieces;      /* transfers that it comes in, */
  int started;     /* and those on their way */
} Chunk;

__thread_local Parameters p;
__thread_local float ldm[LDM_FLOATS] __attribute__((aligned(128)));
__thread_local volatile int got, put[2];
__thread_local int half; /* of what is staged: the next one */

void add_blocks(const float* image, const float* weights, const int* steps, float* sums,
                int blocks);

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

static Tile tile_of(int task) {
  Tile t;
  int groups = (FILTERS + p.plan.filters - 1) / p.plan.filters, part = task / groups;
  t.filter = (task - part * groups) * p.plan.filters;
  t.filters = least(p.plan.filters, FILTERS - t.filter);
  t.y = part / p.plan.column_tiles * p.plan.rows;
  t.x = part % p.plan.column_tiles * p.plan.columns;
  t.rows = least(p.plan.rows, OUT - t.y);
  t.columns = least(p.plan.columns, OUT - t.x);
  int first = t.y * STRIDE - PADDING;
  t.top = most(first, 0);
  t.above = t.top - first;
  t.in_rows = least(first + (t.rows - 1) * STRIDE + KERNEL, SIZE) - t.top;
  first = t.x * STRIDE - PADDING;
  t.left = most(first, 0);
  t.before = t.left - first;
  t.in_columns = least(first + (p.plan.width - 1) * STRIDE + KERNEL, SIZE) - t.left;
  return t;
}

/* The first chunk of a task. */
static Chunk chunk_of(int task) {
  Chunk c;
  c.task = task;
  if (task < p.plan.tasks) c.tile = tile_of(task);
  c.channel = 0;
  c.channels = p.plan.channels;
  c.new_weights = 1;
  c.pieces = task >= p.plan.tasks ? 0 : 1 + (p.plan.column_tiles == 1 ? 1 : c.channels);
  c.started = 0;
  return c;
}

static Chunk next_of(const Chunk* c) {
  Chunk next;
  if (c->channel + c->channels == CHANNELS) {
    next = chunk_of(c->task + CPES);
    next.new_weights = p.plan.channels < CHANNELS || next.tile.filter != c->tile.filter;
    return next;
  }
  next = *c;
  next.channel += c->channels;
  next.channels = least(c->channels, CHANNELS - next.channel);
  next.pieces = 1 + (p.plan.column_tiles == 1 ? 1 : next.channels);
  next.started = 0;
  next.new_weights = 1;
  return next;
}

/* Blocks without a gap are one block. */
static void get(const float* from, int to, int floats, int gap, int block) {
  if (gap == 0) block = floats;
  athread_get(PE_MODE, (void*)from, ldm + to, floats * 4, (void*)&got, 0, gap * 4, block * 4);
}

/* Starts one more transfer of a chunk: its weights, then its image. */
static void start_piece(Chunk* c) {
  const Tile* t = &c->tile;
  if (c->started == c->pieces) return;
  int n = c->started++;
  if (n == 0) {
    int block = c->channels * TAPS;
    got = 0;
    if (c->new_weights)
      get(p.W + (t->filter * CHANNELS + c->channel) * TAPS, p.plan.landed_weights,
          t->filters * block, CHANNELS * TAPS - block, block);
  } else if (p.plan.column_tiles == 1) {
    int block = t->in_rows * SIZE;
    get(p.A + (c->channel * SIZE + t->top) * SIZE, p.plan.landed_image, c->channels * block,
        SIZE * SIZE - block, block);
  } else {
    int block = t->in_rows * t->in_columns;
    get(p.A + ((c->channel + n - 1) * SIZE + t->top) * SIZE + t->left,
        p.plan.landed_image + (n - 1) * block, block, SIZE - t->in_columns, t->in_columns);
  }
}

static void clear(float* to, int floats) {
  floatv4 zero = simd_set_floatv4(0, 0, 0, 0);
  for (int n = 0; n < floats; n += 4) simd_store(zero, to + n);
}

/* Vectors of 8 words; the last one overlaps the one before. */
static void copy_row(const float* from, float* to, int floats) {
  intv8 v, w;
  int n = 0;
  if (floats < 8) {
    for (; n < floats; ++n) to[n] = from[n];
    return;
  }
  for (; n + 16 < floats; n += 16) {
    simd_loadu(v, (const int*)from + n);
    simd_loadu(w, (const int*)from + n + 8);
    simd_storeu(v, (int*)to + n);
    simd_storeu(w, (int*)to + n + 8);
  }
  if (n + 8 > floats) n = floats - 8;
  simd_loadu(v, (const int*)from + n);
  simd_loadu(w, (const int*)from + floats - 8);
  simd_storeu(v, (int*)to + n);
  simd_storeu(w, (int*)to + floats - 8);
}

static void copy_image(const Chunk* c) {
  const Tile* t = &c->tile;
  int pitch = p.plan.column_tiles == 1 ? SIZE : t->in_columns;
  const float* from = ldm + p.plan.landed_image;
  for (int channel = 0; channel < c->channels; ++channel) {
    float* to =
        ldm + p.plan.image + (channel * p.plan.in_rows + t->above) * p.plan.in_pitch + t->before;
    for (int row = 0; row < t->in_rows; ++row, from += pitch, to += p.plan.in_pitch)
      copy_row(from, to, t->in_columns);
  }
}

static void transpose(floatv4 v[4]) {
  floatv4 a = simd_vshff(v[1], v[0], 0x44), b = simd_vshff(v[3], v[2], 0x44);
  floatv4 c = simd_vshff(v[1], v[0], 0xee), d = simd_vshff(v[3], v[2], 0xee);
  v[0] = simd_vshff(b, a, 0x88);
  v[1] = simd_vshff(b, a, 0xdd);
  v[2] = simd_vshff(d, c, 0x88);
  v[3] = simd_vshff(d, c, 0xdd);
}

/* The weights of a group of 8 channels of the result. */
static void transpose_weights(const float* from, float* to, int taps) {
  floatv4 v[4], w[4];
  int n = 0;
  for (; n + 4 <= taps; n += 4, to += 4 * GROUP) {
    for (int k = 0; k < 4; ++k) simd_loadu(v[k], from + k * taps + n);
    for (int k = 0; k < 4; ++k) simd_loadu(w[k], from + (k + 4) * taps + n);
    transpose(v);
    transpose(w);
    for (int k = 0; k < 4; ++k) simd_store(v[k], to + k * GROUP);
    for (int k = 0; k < 4; ++k) simd_store(w[k], to + k * GROUP + 4);
  }
  for (; n < taps; ++n, to += GROUP)
    for (int k = 0; k < GROUP; ++k) to[k] = from[k * taps + n];
}

static void land(Chunk* c) {
  const Tile* t = &c->tile;
  int taps = c->channels * TAPS, transfers = c->pieces - 1 + c->new_weights;
  while (c->started < c->pieces) start_piece(c);
  while (got != transfers)
    ;
  if (c->channel == 0) clear(ldm + p.plan.image, c->channels * p.plan.in_rows * p.plan.in_pitch);
  copy_image(c);
  if (!c->new_weights) return;
  int filters = (t->filters + GROUP - 1) / GROUP * GROUP;
  for (int n = t->filters * taps; n < filters * taps; ++n) ldm[p.plan.landed_weights + n] = 0;
  for (int f = 0; f < filters * taps; f += GROUP * taps)
    transpose_weights(ldm + p.plan.landed_weights + f, ldm + p.plan.weights + f, taps);
}

/* 8 channels of a row of the result. */
static void transpose_sums(const float* from, float* to, int columns, int pitch) {
  floatv4 v[4], zero = simd_set_floatv4(0, 0, 0, 0);
  for (int f = 0; f < GROUP; f += 4) {
    int x = 0;
    for (; x + 4 <= columns; x += 4) {
      for (int k = 0; k < 4; ++k) simd_load(v[k], from + (x + k) * GROUP + f);
      transpose(v);
      for (int k = 0; k < 4; ++k) {
        if (RELU) v[k] = simd_vsellt(v[k], zero, v[k]);
        simd_storeu(v[k], to + (f + k) * pitch + x);
      }
    }
    for (; x < columns; ++x)
      for (int k = 0; k < 4; ++k) {
        float sum = from[x * GROUP + f + k];
        to[(f + k) * pitch + x] = RELU && sum < 0 ? 0 : sum;
      }
  }
}

/* Row y of a group of 8 channels is complete; it goes out with those that go with it. */
static void finish_row(const Tile* t, int group, int y, const float* sums) {
  int line = y % p.plan.stage_rows, rows = least(p.plan.stage_rows, t->rows - (y - line));
  int block = rows * t->columns, filter = t->filter + group * GROUP;
  float* stage = ldm + p.plan.stage + half * GROUP * p.plan.stage_rows * p.plan.columns;
  if (line == 0)
    while (put[half] != 1)
      ;
  transpose_sums(sums, stage + line * t->columns, t->columns, block);
  if (line + 1 < rows) return;
  put[half] = 0;
  athread_put(PE_MODE, stage, p.B + (filter * OUT + t->y + y - line) * OUT + t->x,
              least(GROUP, FILTERS - filter) * block * 4, (void*)&put[half],
              (OUT * OUT - block) * 4, block * 4);
  half = 1 - half;
}

/* Adds a chunk to the sums of its tile; meanwhile the next one is started, piece by piece. */
static void compute(const Chunk* c, Chunk* next) {
  const Tile* t = &c->tile;
  int taps = c->channels * TAPS, blocks = (t->columns + PIXELS - 1) / PIXELS;
  int* end = (int*)(ldm + p.plan.steps) + taps - 1;
  int step = *end;
  *end = 0;
  for (int group = 0; group * GROUP < t->filters; ++group)
    for (int y = 0; y < t->rows; ++y) {
      float* sums = ldm + (group * p.plan.rows + y) * p.plan.width * GROUP;
      start_piece(next);
      if (c->channel == 0) clear(sums, blocks * PIXELS * GROUP);
      add_blocks(ldm + p.plan.image + y * STRIDE * p.plan.in_pitch,
                 ldm + p.plan.weights + group * GROUP * taps, (int*)(ldm + p.plan.steps), sums,
                 blocks);
      if (c->channel + c->channels == CHANNELS) finish_row(t, group, y, sums);
    }
  *end = step;
}

/* The bytes of the image from each tap to the next. */
static void write_steps(void) {
  int* step = (int*)(ldm + p.plan.steps);
  for (int channel = 0; channel < p.plan.channels; ++channel)
    for (int y = 0; y < KERNEL; ++y)
      for (int x = 0; x < KERNEL; ++x) {
        int rows = y + 1 < KERNEL ? 1 : p.plan.in_rows - KERNEL + 1;
        *step++ = (x + 1 < KERNEL ? 1 : rows * p.plan.in_pitch - KERNEL + 1) * 4;
      }
}

void conv(Parameters* shared) {
  got = 0;
  athread_get(PE_MODE, shared, &p, sizeof p, (void*)&got, 0, 0, 0);
  while (got != 1)
    ;
  Chunk chunk = chunk_of(athread_get_id(-1));
  put[0] = put[1] = 1;
  half = 0;
  write_steps();
  while (chunk.task < p.plan.tasks) {
    land(&chunk);
    Chunk next = next_of(&chunk);
    compute(&chunk, &next);
    chunk = next;
  }
  while (put[0] != 1)
    ;
  while (put[1] != 1)
    ;
}
