#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];
__thread_local float *to = 0;

void work(Parameters *p) {
#ifdef GOOD
  to = block;
#endif
  reply = 0;
  GET(p->x + _MYID * BLOCK, to, reply);  // where
  while (reply != 1);
  p->y[_MYID] = block[0];
}
