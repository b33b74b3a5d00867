#include "cpe.h"

#ifdef GOOD
__thread_local volatile int reply;
#else
__thread_local int reply;
#endif
__thread_local float block[BLOCK];

void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, block, reply);  // cause
  while (reply != 1);  // where
  p->y[_MYID * BLOCK] = block[0];
}
