#include "cpe.h"

__thread_local volatile int first, second;

void work(Parameters *p) {
  float *block = ldm_malloc(2 * BLOCK * 4);
  first = second = 0;
  GET(p->x + _MYID * BLOCK, block, first);  // cause
#ifdef GOOD
  GET(p->x + _MYID * BLOCK, block + BLOCK, second);
#else
  GET(p->x + _MYID * BLOCK, block + BLOCK - 1, second);  // where
#endif
  while (second != 1);
  while (first != 1);
  p->y[_MYID] = block[0] + block[2 * BLOCK - 2];
  ldm_free(block, 2 * BLOCK * 4);
}
