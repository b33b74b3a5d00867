#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

/* The columns meet, and it is the row that shares. */
void work(Parameters *p) {
  reply = 0;
  DEAL(p->x + _COL * 32, block + _COL * 4, 8, reply);  // cause
  while (reply != 1);
#ifdef GOOD
  athread_syn(ROW_SCOPE, 0xff);
#else
  athread_syn(COL_SCOPE, 0xff);
#endif
  p->y[_MYID] = block[(_COL ^ 1) * 4];  // where
}
