#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

/* The broadcast goes to all rows, and only the row of its issuer meets. */
void work(Parameters *p) {
  athread_syn(ARRAY_SCOPE, 0xffff);
  if (_MYID == 0) {
    reply = 0;
    BROADCAST(p->x, block, reply);  // cause
    while (reply != 1);
  }
#ifdef GOOD
  athread_syn(ARRAY_SCOPE, 0xffff);
#else
  athread_syn(ROW_SCOPE, 0xff);
#endif
  p->y[_MYID] = block[_MYID];  // where
}
