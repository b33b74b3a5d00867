#include "cpe.h"

__thread_local volatile int got, put;
__thread_local float block[BLOCK];

/* The barrier orders the CPEs, not a put that goes on behind it. */
void work(Parameters *p) {
  got = put = 0;
  GET(p->x + _MYID * BLOCK, block, got);
  while (got != 1);
  PUT(block, p->y + _MYID * BLOCK, put);  // cause
#ifdef GOOD
  while (put != 1);
#endif
  athread_syn(ARRAY_SCOPE, 0xffff);
  float other = p->y[(_MYID + 8) % 64 * BLOCK];  // where
  while (put != 1);
  athread_syn(ARRAY_SCOPE, 0xffff);
  p->y[_MYID * BLOCK] = other;
}
