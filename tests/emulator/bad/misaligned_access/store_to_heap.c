#include "cpe.h"

void work(Parameters *p) {
  float *block = ldm_malloc(BLOCK * 4);
  floatv4 v = simd_set_floatv4(1, 2, 3, _MYID);
#ifdef GOOD
  for (int i = 0; i < BLOCK; i += 4) simd_store(v, block + i);
#else
  for (int i = 2; i + 4 <= BLOCK; i += 4) simd_store(v, block + i);  // where
#endif
  p->y[_MYID] = block[7];
  ldm_free(block, BLOCK * 4);
}
