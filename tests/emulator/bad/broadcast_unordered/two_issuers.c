#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

/* CPE 0 and CPE 1 broadcast into the same block. */
void work(Parameters *p) {
  reply = 0;
  if (_MYID == 0) {
    BROADCAST(p->x, block, reply);  // cause
    while (reply != 1);
  }
#ifdef GOOD
  athread_syn(ARRAY_SCOPE, 0xffff);
#endif
  if (_MYID == 1) {
    BROADCAST(p->x + BLOCK, block, reply);  // where
    while (reply != 1);
  }
  athread_syn(ARRAY_SCOPE, 0xffff);
  p->y[_MYID] = block[_MYID];
}
