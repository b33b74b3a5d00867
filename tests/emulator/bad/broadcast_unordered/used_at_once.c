#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

/* Only the issuer's counter rises: the others must meet it. */
void work(Parameters *p) {
  if (_MYID == 0) {
    reply = 0;
    BROADCAST(p->x, block, reply);  // cause
    while (reply != 1);
  }
#ifdef GOOD
  athread_syn(ARRAY_SCOPE, 0xffff);
#endif
  p->y[_MYID] = block[_MYID];  // where
}
