#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

__thread_local float copy[BLOCK];

/* memcpy reads the block too. */
void work(Parameters *p) {
  if (_MYID == 63) {
    reply = 0;
    BROADCAST(p->x, block, reply);  // cause
    while (reply != 1);
  }
#ifdef GOOD
  athread_syn(ARRAY_SCOPE, 0xffff);
#endif
  if (_MYID != 63) __builtin_memcpy(copy, block, sizeof copy);  // where
  p->y[_MYID] = _MYID == 63 ? 2 : copy[_MYID];
}
