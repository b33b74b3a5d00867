#include "cpe.h"

__thread_local volatile unsigned long reply;
__thread_local float block[BLOCK];

void work(Parameters *p) {
#ifdef GOOD
  reply = 0;
#endif
  GET(p->x + _MYID * BLOCK, block, reply);
  while (reply != 1);  // where
  p->y[_MYID * BLOCK] = block[0];
}
