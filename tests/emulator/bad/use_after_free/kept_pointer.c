#include "cpe.h"

__thread_local float *kept;

void work(Parameters *p) {
  float *block = ldm_malloc(BLOCK * 4);
  for (int i = 0; i < BLOCK; ++i) block[i] = p->x[i];
  kept = block + 8;
  float sum = kept[1];
  ldm_free(block, BLOCK * 4);
#ifndef GOOD
  sum += kept[2];  // where
#endif
  p->y[_MYID] = sum;
}
