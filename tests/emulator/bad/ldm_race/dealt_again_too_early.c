#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

/* The next round is dealt out while others use the first. */
void work(Parameters *p) {
  float sum = 0;
  for (int round = 0; round < 2; ++round) {
    reply = 0;
    DEAL(p->x + _COL * 32, block + _COL * 4, 8, reply);  // cause
    while (reply != 1);
    athread_syn(ROW_SCOPE, 0xff);
    sum += block[_COL] + block[31];  // where
#ifdef GOOD
    athread_syn(ROW_SCOPE, 0xff);
#endif
  }
  p->y[_MYID] = sum;
}
