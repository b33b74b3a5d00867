#include "cpe.h"

__thread_local volatile int got, put;
__thread_local float block[BLOCK];

/* A barrier of the row does not order the CPEs of a column. */
void work(Parameters *p) {
  got = put = 0;
  GET(p->x + _MYID * BLOCK, block, got);
  while (got != 1);
  PUT(block, p->y + _MYID * BLOCK, put);  // cause
  while (put != 1);
#ifdef GOOD
  athread_syn(ARRAY_SCOPE, 0xffff);
#else
  athread_syn(ROW_SCOPE, 0xff);
#endif
  GET(p->y + (_MYID + 8) % 64 * BLOCK, block, got);  // where
  while (got != 2);
}
