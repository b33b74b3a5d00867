#include "cpe.h"

__thread_local volatile int got, put;
__thread_local float a[BLOCK], b[BLOCK];

void work(Parameters *p) {
  got = put = 0;
  GET(p->x + _MYID * BLOCK, a, got);
  while (got != 1);
  PUT(a, p->y + _MYID * BLOCK, put);  // cause
#ifdef GOOD
  while (put != 1);
#endif
  GET(p->y + _MYID * BLOCK, b, got);  // where
  while (got != 2);
  while (put != 1);
}
