#include "cpe.h"

void work(Parameters *p) {
#ifdef GOOD
  const int bytes = 20000;
#else
  const int bytes = 40000;
#endif
  float *a = ldm_malloc(bytes);
  float *b = ldm_malloc(bytes);  // where
  a[0] = b[0] = p->x[_MYID];
  p->y[_MYID] = a[0] + b[0];
  ldm_free(b, bytes);
  ldm_free(a, bytes);
}
