#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];
__thread_local float sums[4];

void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, block, reply);
  while (reply != 1);
#ifdef GOOD
  for (int i = 0; i < 4; ++i) sums[i] = 0;
#endif
  for (int i = 0; i < BLOCK; ++i) sums[i % 4] += block[i];  // where
  p->y[_MYID * BLOCK] = sums[0] + sums[1] + sums[2] + sums[3];
}
