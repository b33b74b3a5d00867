#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, block, reply);
#ifdef GOOD
  while (reply != 1);
#else
  while (reply != 2);  // where
#endif
  p->y[_MYID * BLOCK] = block[0];
}
