/* By the rule of the OpenACC style: an iteration is a row of one channel of the result. */
#include "conv.h"
#include "slave.h"

#define CPES 64
#define TAPS (CHANNELS * KERNEL * KERNEL)

__thread_local volatile int reply;
__thread_local float weights[CHANNELS][KERNEL][KERNEL];
__thread_local float image[CHANNELS * KERNEL * SIZE];
__thread_local float result[OUT];

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

/* One row of the result; `rows` rows of each channel of the image are there, from `first` on. */
static void compute(int y, int first, int rows) {
  for (int x = 0; x < OUT; ++x) {
    float sum = 0;
    for (int c = 0; c < CHANNELS; ++c)
      for (int ky = 0; ky < KERNEL; ++ky)
        for (int kx = 0; kx < KERNEL; ++kx) {
          int row = y * STRIDE - PADDING + ky - first;
          int column = x * STRIDE - PADDING + kx;
          if (row >= 0 && row < rows && column >= 0 && column < SIZE)
            sum += image[(c * rows + row) * SIZE + column] * weights[c][ky][kx];
        }
    result[x] = sum;
  }
}

void conv(Parameters* shared) {
  Parameters p = *shared;
  for (int n = athread_get_id(-1); n < FILTERS * OUT; n += CPES) {
    int filter = n / OUT, y = n % OUT;
    int first = y * STRIDE - PADDING, last = first + KERNEL;
    if (first < 0) first = 0;
    if (last > SIZE) last = SIZE;
    int bytes = (last - first) * SIZE * 4;
    copy_in(p.W + filter * TAPS, weights, sizeof weights, 0, 0);
    copy_in(p.A + first * SIZE, image, CHANNELS * bytes, SIZE * SIZE * 4 - bytes, bytes);
    compute(y, first, last - first);
    copy_out(result, p.B + n * OUT, sizeof result);
  }
}
