/* Chooses the tile that takes the least time by a model of the machine: of all that fit into the
 * LDM, each with as many channels of the image at once as fit then. Everything here is known to
 * the compiler; unrolled, the search costs nothing at run time. */
#include "athread.h"
#include "conv.h"
#include <limits.h>

#define FOLDED static inline __attribute__((always_inline))

extern void SLAVE_FUN(conv)(void*);

FOLDED int whole(int number, int unit) { return (number + unit - 1) / unit; }
FOLDED int least(int a, int b) { return a < b ? a : b; }

/* Completes a tile: the channels of the image in the LDM are a multiple of `unit`, or all. It does
 * not fit if `channels` is 0. */
FOLDED Plan lay_out(int filters, int rows, int columns, int unit) {
  Plan p = {filters, rows, columns};
  p.row_tiles = whole(OUT, rows);
  p.column_tiles = whole(OUT, columns);
  p.tasks = whole(FILTERS, filters) * p.row_tiles * p.column_tiles;
  p.width = whole(columns, PIXELS) * PIXELS;
  p.in_rows = (rows - 1) * STRIDE + KERNEL;
  p.in_pitch = whole((p.width - 1) * STRIDE + KERNEL, 4) * 4;
  p.stage_rows = p.column_tiles > 1 || columns > STAGED ? 1 : least(rows, STAGED / columns);
  p.landed_columns = p.column_tiles == 1 || p.in_pitch > SIZE ? SIZE : p.in_pitch;
  p.landed_rows = least(p.in_rows, SIZE);
  p.stage = filters * rows * p.width;
  p.image = p.stage + 2 * GROUP * p.stage_rows * columns;
  int channel = p.in_rows * p.in_pitch + p.landed_rows * p.landed_columns;
  channel += (2 * filters + 1) * TAPS;
  int channels = p.image > LDM_FLOATS ? 0 : least((LDM_FLOATS - p.image) / channel, CHANNELS);
  p.channels = channels == CHANNELS ? channels : channels / unit * unit;
  p.weights = p.image + p.channels * p.in_rows * p.in_pitch;
  p.landed_weights = p.weights + p.channels * TAPS * filters;
  p.steps = p.landed_weights + p.channels * TAPS * filters;
  p.landed_image = p.steps + p.channels * TAPS;
  return p;
}

/* Cycles in which blocks of so many floats go through the channel, if all CPEs use it; `aligned`
 * says whether each begins with a transaction of 128 bytes. */
FOLDED long channel_time(long blocks, long floats, int aligned) {
  return blocks * (aligned ? 12 * floats + 320 : 15 * floats + 450);
}

FOLDED long moving_time(const Plan* p, int chunks) {
  int taps = p->channels * TAPS, row = p->column_tiles == 1 ? OUT * p->stage_rows : p->columns;
  int puts = p->filters * whole(p->rows * p->columns, row);
  int aligned = row % 32 == 0 && OUT * OUT % 32 == 0;
  long time = channel_time(chunks * p->filters, taps, taps % 32 == 0 && CHANNELS * TAPS % 32 == 0);
  if (p->landed_rows == SIZE && p->column_tiles == 1)
    time += channel_time(chunks, p->channels * SIZE * SIZE, p->channels * SIZE * SIZE % 32 == 0);
  else if (p->column_tiles == 1)
    time += channel_time(CHANNELS, p->landed_rows * SIZE, SIZE % 32 == 0);
  else
    time += channel_time(CHANNELS * p->landed_rows, p->landed_columns, 0);
  return time + channel_time(puts, row, aligned) + (aligned ? 0 : puts * 34L * CPES);
}

FOLDED long computing_time(const Plan* p, int chunks) {
  long blocks = (long)(p->filters / GROUP) * p->rows * (p->width / PIXELS);
  long laid_out = (long)CHANNELS * (p->landed_rows * (p->in_pitch / 2 + 15) + TAPS * p->filters);
  return blocks * (14L * TAPS * CHANNELS + 50 * chunks + 70) + laid_out;
}

/* Of all tiles, with the transfers that nothing hides. */
FOLDED long time_of(const Plan* p) {
  int chunks = whole(CHANNELS, p->channels), rounds = whole(p->tasks, CPES);
  long moving = moving_time(p, chunks) * p->tasks / CPES;
  long computing = computing_time(p, chunks) * rounds;
  long most = computing > moving ? computing : moving;
  return most + (computing + moving - most) / 8 + moving / (chunks * rounds);
}

#define CANDIDATES (2 * 4 * 3 * 11)
FOLDED Plan candidate(int n) {
  const int rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 14, 28};
  int filters = GROUP << n / 8 % 3, columns = whole(OUT, 1 << n / 2 % 4);
  return lay_out(filters, least(rows[n / 24], OUT), columns, n % 2 == 0 ? 1 : 16);
}

FOLDED Plan choose(void) {
  int best = 0;
  long least_time = LONG_MAX;
#pragma clang loop unroll(full)
  for (int n = 0; n < CANDIDATES; ++n) {
    const Plan plan = candidate(n);
    const long time = plan.channels == 0 ? LONG_MAX : time_of(&plan);
    best = time < least_time ? n : best;
    least_time = time < least_time ? time : least_time;
  }
  return candidate(best);
}

void conv_athread(const float* A, const float* W, float* B) {
  Parameters parameters = {A, W, B, choose()};
  athread_init();
  athread_spawn(conv, &parameters);
  athread_join();
  athread_halt();
}
