#include "cpe.h"

__thread_local volatile int got, put;
__thread_local float block[BLOCK] __attribute__((aligned(32)));

void work(Parameters *p) {
  floatv4 v = simd_set_floatv4(1, 2, 3, 4);
  got = put = 0;
  GET(p->x + _MYID * BLOCK, block, got);
  while (got != 1);
  PUT(block, p->y + _MYID * BLOCK, put);  // cause
#ifdef GOOD
  while (put != 1);
#endif
  simd_store(v, &block[_MYID % 8 * 4]);  // where
  while (put != 1);
}
