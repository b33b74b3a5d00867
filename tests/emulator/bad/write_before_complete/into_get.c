#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, block, reply);  // cause
#ifdef GOOD
  while (reply != 1);
#endif
  block[_MYID] = 0;  // where
  while (reply != 1);
  p->y[_MYID] = block[0];
}
