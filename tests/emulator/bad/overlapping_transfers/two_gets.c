#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK + 32];

void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, block, reply);  // cause
#ifdef GOOD
  while (reply != 1);
#endif
  GET(p->x + _MYID * BLOCK, block + 32, reply);  // where
  while (reply != 2);
  p->y[_MYID * BLOCK] = block[0] + block[90];
}
