#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK] __attribute__((aligned(32)));

void work(Parameters *p) {
  floatv4 v, sum = simd_set_floatv4(0, 0, 0, 0);
  reply = 0;
  GET(p->x + _MYID * BLOCK, block, reply);
  while (reply != 1);
  for (int i = 0; i + 5 <= BLOCK; i += 5) {
#ifdef GOOD
    simd_loadu(v, &block[i]);
#else
    simd_load(v, &block[i]);  // where
#endif
    sum = simd_vadds(sum, v);
  }
  p->y[_MYID] = simd_vextf0(sum) + simd_vextf3(sum);
}
