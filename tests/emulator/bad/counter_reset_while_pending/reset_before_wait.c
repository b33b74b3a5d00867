#include "cpe.h"

__thread_local volatile int reply;
__thread_local float a[BLOCK], b[BLOCK];

void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, a, reply);  // cause
#ifdef GOOD
  while (reply != 1);
#endif
  reply = 0;  // where
  GET(p->x + _MYID * BLOCK, b, reply);
  while (reply != 1);
  p->y[_MYID * BLOCK] = a[0] + b[0];
}
