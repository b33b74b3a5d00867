#include "cpe.h"

__thread_local volatile int got, put;
__thread_local float block[2][BLOCK];

/* The wait for a put stands behind the reset of its counter in the next iteration. */
void work(Parameters *p) {
  got = 0;
  for (int t = 0; t < 3; ++t) {
    GET(p->x + _MYID * BLOCK, block[t & 1], got);
    while (got != t + 1);
    put = 0;  // where
    PUT(block[t & 1], p->y + _MYID * BLOCK, put);  // cause
#ifdef GOOD
    while (put != 1);
#endif
  }
  while (put != 1);
}
