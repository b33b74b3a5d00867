#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK] __attribute__((aligned(32)));
__thread_local floatv4 sums[4];

static void add(floatv4 *sum, const float *values) {
  floatv4 s, v;
  simd_load(s, sum);
  for (int i = 0; i < BLOCK; i += 4) {
    simd_load(v, values + i);
    s = simd_vmas(v, v, s);  // where
  }
  simd_store(s, sum);
}

/* Sums are kept in registers through a loop; nobody has set them to zero before. */
void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, block, reply);
  while (reply != 1);
#ifdef GOOD
  for (int k = 0; k < 4; ++k) sums[k] = 0.0f;
#endif
  for (int k = 0; k < 4; ++k) add(&sums[k], block);
  p->y[_MYID] = simd_vextf0(sums[3]);
}
