#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

/* What others write into their block may come before the broadcast, or after it. */
void work(Parameters *p) {
  if (_MYID != 0) block[3] = 1;  // where
#ifdef GOOD
  athread_syn(ARRAY_SCOPE, 0xffff);
#endif
  if (_MYID == 0) {
    reply = 0;
    BROADCAST(p->x, block, reply);  // cause
    while (reply != 1);
  }
  athread_syn(ARRAY_SCOPE, 0xffff);
  p->y[_MYID] = block[_MYID];
}
