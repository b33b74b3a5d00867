#include "cpe.h"

__thread_local volatile int reply;
__thread_local float a[BLOCK], b[BLOCK];

/* Without the reset, the second wait is over before the second get is. */
void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, a, reply);
  while (reply != 1);
#ifdef GOOD
  reply = 0;
#endif
  GET(p->x + _MYID * BLOCK, b, reply);  // cause
  while (reply < 1);
  p->y[_MYID * BLOCK] = a[0] + b[0];  // where
  while (reply < 1);
}
