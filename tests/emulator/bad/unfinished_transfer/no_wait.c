#include "cpe.h"

__thread_local volatile int got, put;
__thread_local float block[BLOCK];

void work(Parameters *p) {
  got = put = 0;
  GET(p->x + _MYID * BLOCK, block, got);
  while (got != 1);
  PUT(block, p->y + _MYID * BLOCK, put);  // where
#ifdef GOOD
  while (put != 1);
#endif
}
