#include "cpe.h"

__thread_local volatile int reply;
__thread_local float a[BLOCK], b[BLOCK];

void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, a, reply);  // where
  GET(p->x + _MYID * BLOCK, b, reply);
#ifdef GOOD
  while (reply != 2);
#else
  while (reply != 1);
#endif
}
