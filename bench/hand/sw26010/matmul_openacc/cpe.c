/* By the rule of the OpenACC style: an iteration is a tile of 16 columns of one row of C, its sum
 * in pieces of 512. */
#include "matmul.h"
#include "slave.h"

#define COLUMNS 16
#define TILES ((N + COLUMNS - 1) / COLUMNS)
#define PIECE 512

__thread_local volatile int reply;
__thread_local float a[PIECE];
__thread_local float b[PIECE][COLUMNS];
__thread_local float c[COLUMNS];

static void copy_in(const float* from, void* to, int bytes, int gap, int block) {
  reply = 0;
  athread_get(PE_MODE, (void*)from, to, bytes, (void*)&reply, 0, gap, block);
  while (reply != 1)
    ;
}

static void copy_out(void* from, float* to, int bytes) {
  reply = 0;
  athread_put(PE_MODE, from, to, bytes, (void*)&reply, 0, 0);
  while (reply != 1)
    ;
}

static void add(int steps) {
  for (int k = 0; k < steps; ++k)
    for (int n = 0; n < COLUMNS; ++n) c[n] += a[k] * b[k][n];
}

/* The same for the last tile, whose rows are shorter. */
static void add_part(int steps, int columns) {
  const float* packed = b[0];
  for (int k = 0; k < steps; ++k)
    for (int n = 0; n < columns; ++n) c[n] += a[k] * packed[k * columns + n];
}

void matmul(Parameters* shared) {
  Parameters p = *shared;
  for (int iteration = athread_get_id(-1); iteration < M * TILES; iteration += CPES) {
    int m = iteration / TILES, first = iteration % TILES * COLUMNS;
    int columns = N - first < COLUMNS ? N - first : COLUMNS;
    for (int n = 0; n < columns; ++n) c[n] = 0;
    for (int k0 = 0; k0 < K; k0 += PIECE) {
      int steps = K - k0 < PIECE ? K - k0 : PIECE;
      copy_in(p.A + m * K + k0, a, steps * 4, 0, 0);
      copy_in(p.B + k0 * N + first, b, steps * columns * 4, (N - columns) * 4, columns * 4);
      if (columns == COLUMNS)
        add(steps);
      else
        add_part(steps, columns);
    }
    if (RELU)
      for (int n = 0; n < columns; ++n) c[n] = c[n] < 0 ? 0 : c[n];
    copy_out(c, p.C + m * N + first, columns * 4);
  }
}
