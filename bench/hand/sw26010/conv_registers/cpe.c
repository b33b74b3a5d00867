/* A convolution as products by register communication, in the style of swDNN for large batches.
 *
 * A tile of the result is PIXELS neighbouring columns, all channels and the whole batch; it stays
 * in the LDM of the 64 CPEs while all taps are added to it. For one tap and pixel, channels of the
 * result times batch are a product of W, dealt out by channels of the result and of the image, and
 * X, dealt out by channels of the image and batch; in round n the CPEs of column n send their part
 * of W along their rows, number by number, those of row n their part of X along their columns,
 * vector by vector (rounds.S). The next part of X, and of W, is on its way meanwhile. */
#include "conv.h"
#include "slave.h"

#ifndef PIXELS
#define PIXELS 4
#endif
#ifndef PART /* channels of the image that are added at a time: what the LDM has room for */
#define PART NI
#endif
#define PARTS (NI / PART)
#define MY_PART (PART / 8)
#define MY_NO (NO / 8)
#define MY_BATCH (BATCH / 8)
#define STEPS (KERNEL * KERNEL * PARTS)

__thread_local double w[2][MY_PART][MY_NO] __attribute__((aligned(128)));
__thread_local double x[2][MY_PART][MY_BATCH] __attribute__((aligned(128)));
__thread_local double y[PIXELS][MY_NO][MY_BATCH] __attribute__((aligned(128)));
__thread_local volatile int got_w[2], got_x[2], put;

typedef void round_of(const double* a, const double* b, double* c, int rows, int columns,
                      int steps);
round_of send_both, send_a, send_b, receive_both;

/* A step is a tap and a part of the channels. */
static void start_w(const struct conv* conv, int step) {
  int which = step % 2;
  const double* from = conv->W + ((long)step * PART + _COL * MY_PART) * NO + _ROW * MY_NO;
  got_w[which] = 0;
  athread_get(PE_MODE, (void*)from, w[which], sizeof w[which], (void*)&got_w[which], 0,
              (NO - MY_NO) * 8, MY_NO * 8);
}

static void start_x(const struct conv* conv, int row, int column, int part, int which) {
  long channel = (((long)row * IN_COLUMNS + column) * PARTS + part) * PART + _ROW * MY_PART;
  const double* from = conv->X + channel * BATCH + _COL * MY_BATCH;
  got_x[which] = 0;
  athread_get(PE_MODE, (void*)from, x[which], sizeof x[which], (void*)&got_x[which], 0,
              (BATCH - MY_BATCH) * 8, MY_BATCH * 8);
}

static void multiply(const double* a, const double* b, double* c) {
  for (int n = 0; n < 8; ++n) {
    round_of* round =
        n == _COL ? (n == _ROW ? send_both : send_a) : (n == _ROW ? send_b : receive_both);
    round(a, b, c, MY_NO / 4, MY_BATCH / 16, MY_PART);
  }
}

static void store(const struct conv* conv, int row, int column) {
  put = 0;
  for (int p = 0; p < PIXELS; ++p) {
    double* to = conv->Y + (((long)row * COLUMNS + column + p) * NO + _ROW * MY_NO) * BATCH +
                 _COL * MY_BATCH;
    athread_put(PE_MODE, y[p], to, sizeof y[p], (void*)&put, (BATCH - MY_BATCH) * 8, MY_BATCH * 8);
  }
  while (put != PIXELS)
    ;
}

static void tile(const struct conv* conv, int row, int column) {
  for (int k = 0; k < PIXELS * MY_NO * MY_BATCH; ++k) y[0][0][k] = 0;
  start_w(conv, 0);
  start_x(conv, row, column, 0, 0);
  for (int step = 0; step < STEPS; ++step) {
    while (got_w[step % 2] != 1)
      ;
    if (step + 1 < STEPS) start_w(conv, step + 1);
    for (int p = 0; p < PIXELS; ++p) {
      int n = step * PIXELS + p, next = n + 1;
      while (got_x[n % 2] != 1)
        ;
      if (next < STEPS * PIXELS) {
        int to = next / PIXELS, tap = to / PARTS;
        start_x(conv, row + tap / KERNEL, column + next % PIXELS + tap % KERNEL, to % PARTS,
                next % 2);
      }
      multiply(w[step % 2][0], x[n % 2][0], y[p][0]);
    }
  }
  store(conv, row, column);
}

void conv(struct conv* shared) {
  struct conv conv = *shared;
  for (int row = 0; row < ROWS; ++row)
    for (int column = 0; column < COLUMNS; column += PIXELS) tile(&conv, row, column);
}
