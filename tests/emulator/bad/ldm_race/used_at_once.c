#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

/* What the others of the row deal out is used before they have waited. */
void work(Parameters *p) {
  float sum = 0;
  for (int round = 0; round < 2; ++round) {
    reply = 0;
    DEAL(p->x + _COL * 32, block + _COL * 4, 8, reply);  // cause
    while (reply != 1);
#ifdef GOOD
    athread_syn(ROW_SCOPE, 0xff);
#endif
    sum += block[_COL] + block[31];  // where
    athread_syn(ROW_SCOPE, 0xff);
  }
  p->y[_MYID] = sum;
}
