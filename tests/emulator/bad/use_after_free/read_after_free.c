#include "cpe.h"

void work(Parameters *p) {
  float *block = ldm_malloc(BLOCK * 4);
  for (int i = 0; i < BLOCK; ++i) block[i] = i;
#ifdef GOOD
  float kept = block[5];
  ldm_free(block, BLOCK * 4);
#else
  ldm_free(block, BLOCK * 4);
  float kept = block[5];  // where
#endif
  p->y[_MYID] = kept;
}
