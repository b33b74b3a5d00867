#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, block, reply);  // where
#ifndef GOOD
  if (_MYID == 41) return;
#endif
  while (reply != 1);
  p->y[_MYID] = block[0];
}
