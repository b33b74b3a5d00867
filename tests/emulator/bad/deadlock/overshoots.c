#include "cpe.h"

__thread_local volatile int reply;
__thread_local float a[BLOCK], b[BLOCK];

/* The counter has passed the number that is waited for. */
void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, a, reply);
  while (reply != 1);
  GET(p->x + _MYID * BLOCK, b, reply);
  while (reply != 2);
#ifdef GOOD
  reply = 1;
#endif
  while (reply != 1);  // where
  p->y[_MYID * BLOCK] = a[0] + b[0];
}
