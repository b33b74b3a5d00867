/* By the rule of the OpenACC style: an iteration is a tile of 16 columns, its sum in two pieces. */
#include "matmul.h"
#include "slave.h"

#define COLUMNS 16
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

void matmul(Parameters* shared) {
  Parameters p = *shared;
  for (int tile = athread_get_id(-1); tile < N / COLUMNS; tile += CPES) {
    for (int n = 0; n < COLUMNS; ++n) c[n] = 0;
    for (int k0 = 0; k0 < K; k0 += PIECE) {
      copy_in(p.A + k0, a, sizeof a, 0, 0);
      copy_in(p.B + k0 * N + tile * COLUMNS, b, sizeof b, (N - COLUMNS) * 4, COLUMNS * 4);
      for (int k = 0; k < PIECE; ++k)
        for (int n = 0; n < COLUMNS; ++n) c[n] += a[k] * b[k][n];
    }
    copy_out(c, p.C + tile * COLUMNS, sizeof c);
  }
}
