#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

/* They meet, but before the issuer has waited. */
void work(Parameters *p) {
  reply = 0;
  if (_MYID == 9) BROADCAST(p->x, block, reply);  // cause
#ifdef GOOD
  if (_MYID == 9) while (reply != 1);
#endif
  athread_syn(ARRAY_SCOPE, 0xffff);
#ifndef GOOD
  if (_MYID == 9) while (reply != 1);
#endif
  if (_MYID != 9) p->y[_MYID] = block[_MYID];  // where
}
