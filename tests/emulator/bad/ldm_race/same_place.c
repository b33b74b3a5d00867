#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

/* All CPEs of the row deal out to the same place. */
void work(Parameters *p) {
  reply = 0;
#ifdef GOOD
  DEAL(p->x + _COL * 32, block + _COL * 4, 8, reply);
#else
  DEAL(p->x + _COL * 32, block, 8, reply);  // where
#endif
  while (reply != 1);
  athread_syn(ROW_SCOPE, 0xff);
  p->y[_MYID] = block[3];
}
