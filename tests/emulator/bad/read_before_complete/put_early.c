#include "cpe.h"

__thread_local volatile int got, put;
__thread_local float block[BLOCK];

void work(Parameters *p) {
  got = put = 0;
  GET(p->x + _MYID * BLOCK, block, got);  // cause
#ifdef GOOD
  while (got != 1);
#endif
  PUT(block, p->y + _MYID * BLOCK, put);  // where
  while (got != 1);
  while (put != 1);
}
