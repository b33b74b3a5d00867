#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

/* The second round comes while others read the block of the first. */
void work(Parameters *p) {
  float sum = 0;
  for (int round = 0; round < 3; ++round) {
    if (_MYID == 0) {
      reply = 0;
      BROADCAST(p->x + round * BLOCK, block, reply);  // cause
      while (reply != 1);
    }
    athread_syn(ARRAY_SCOPE, 0xffff);
    sum += block[_MYID];  // where
#ifdef GOOD
    athread_syn(ARRAY_SCOPE, 0xffff);
#endif
  }
  p->y[_MYID] = sum;
}
