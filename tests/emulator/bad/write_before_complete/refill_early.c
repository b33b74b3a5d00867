#include "cpe.h"

__thread_local volatile int got, put;
__thread_local float block[BLOCK];

void work(Parameters *p) {
  got = put = 0;
  GET(p->x + _MYID * BLOCK, block, got);
  while (got != 1);
  PUT(block, p->y + _MYID * BLOCK, put);  // cause
#ifdef GOOD
  while (put != 1);
#endif
  GET(p->x + _MYID * BLOCK, block, got);  // where
  while (got != 2);
  while (put != 1);
}
