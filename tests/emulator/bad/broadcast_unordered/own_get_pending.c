#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

__thread_local volatile int own_reply;

/* The get of each CPE is waited for after the others have met. */
void work(Parameters *p) {
  own_reply = 0;
  if (_MYID != 0) GET(p->x, block, own_reply);  // where
#ifdef GOOD
  if (_MYID != 0) while (own_reply != 1);
#endif
  athread_syn(ARRAY_SCOPE, 0xffff);
  if (_MYID == 0) {
    reply = 0;
    BROADCAST(p->x, block, reply);  // cause
    while (reply != 1);
  }
#ifndef GOOD
  if (_MYID != 0) while (own_reply != 1);
#endif
  athread_syn(ARRAY_SCOPE, 0xffff);
  p->y[_MYID] = block[_MYID];
}
