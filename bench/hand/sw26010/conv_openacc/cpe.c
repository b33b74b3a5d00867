/* By the rule of the OpenACC style: an iteration is a row of one channel of the result. The
 * channels of the image are cut into pieces that fit into the LDM. */
#include "conv.h"
#include "slave.h"

#define CPES 64
#define TAPS (KERNEL * KERNEL)
#define LDM_FLOATS 15872

/* Channels of the image in a piece: as many as fit. */
#define FITTING ((LDM_FLOATS - OUT) / (TAPS + KERNEL * SIZE))
#if OUT > LDM_FLOATS || FITTING < 1
#error "KERNEL rows of SIZE numbers do not fit into the LDM"
#endif
#define PIECE (FITTING < CHANNELS ? FITTING : CHANNELS)

__thread_local volatile int reply;
__thread_local float weights[PIECE][KERNEL][KERNEL];
__thread_local float image[PIECE * KERNEL * SIZE];
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

/* Adds the channels of a piece to row y of the result; `rows` rows of each channel of the image are
 * there, from `first` on. */
static void compute(int y, int channels, int first, int rows) {
  for (int x = 0; x < OUT; ++x) {
    float sum = result[x];
    for (int c = 0; c < channels; ++c)
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
    for (int x = 0; x < OUT; ++x) result[x] = 0;
    for (int c = 0; c < CHANNELS; c += PIECE) {
      int channels = c + PIECE < CHANNELS ? PIECE : CHANNELS - c;
      copy_in(p.W + (filter * CHANNELS + c) * TAPS, weights, channels * TAPS * 4, 0, 0);
      copy_in(p.A + (c * SIZE + first) * SIZE, image, channels * bytes, SIZE * SIZE * 4 - bytes,
              bytes);
      compute(y, channels, first, last - first);
    }
    if (RELU)
      for (int x = 0; x < OUT; ++x) result[x] = result[x] < 0 ? 0 : result[x];
    copy_out(result, p.B + n * OUT, sizeof result);
  }
}
