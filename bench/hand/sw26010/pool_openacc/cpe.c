/* By the rule of the OpenACC style: an iteration is a row of one channel of the result. */
#include "pool.h"
#include "slave.h"

#define CPES 64

#if (KERNEL * SIZE + OUT) * 4 > 60000
#error "KERNEL, SIZE: KERNEL rows of A and one of B must fit into 60000 bytes of the LDM"
#endif

__thread_local volatile int reply;
__thread_local float rows[KERNEL][SIZE];
__thread_local float result[OUT];

static void copy_in(const float* from, void* to, int bytes) {
  reply = 0;
  athread_get(PE_MODE, (void*)from, to, bytes, (void*)&reply, 0, 0, 0);
  while (reply != 1)
    ;
}

static void copy_out(void* from, float* to, int bytes) {
  reply = 0;
  athread_put(PE_MODE, from, to, bytes, (void*)&reply, 0, 0);
  while (reply != 1)
    ;
}

void pool(Parameters* shared) {
  Parameters p = *shared;
  for (int n = athread_get_id(-1); n < CHANNELS * OUT; n += CPES) {
    int channel = n / OUT, y = n % OUT;
    copy_in(p.A + (channel * SIZE + y * STRIDE) * SIZE, rows, sizeof rows);
    for (int x = 0; x < OUT; ++x) {
      float greatest = rows[0][x * STRIDE];
      for (int i = 0; i < KERNEL; ++i)
        for (int j = 0; j < KERNEL; ++j) {
          float value = rows[i][x * STRIDE + j];
          if (value > greatest) greatest = value;
        }
      result[x] = greatest;
    }
    copy_out(result, p.B + n * OUT, sizeof result);
  }
}
