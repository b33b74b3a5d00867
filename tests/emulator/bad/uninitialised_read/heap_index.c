#include "cpe.h"

void work(Parameters *p) {
  int *index = ldm_malloc(BLOCK * sizeof(int));
#ifdef GOOD
  for (int i = 0; i < BLOCK; ++i) index[i] = i;
#else
  for (int i = 0; i < BLOCK; i += 2) index[i] = i;
#endif
  float sum = 0;
  for (int i = 0; i < BLOCK; ++i) sum += p->x[index[i]];  // where
  p->y[_MYID] = sum;
  ldm_free(index, BLOCK * sizeof(int));
}
