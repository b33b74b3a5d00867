#include "cpe.h"

#ifdef GOOD
__thread_local struct { double v[4]; } row __attribute__((aligned(32)));
#else
__thread_local struct { double before; double v[4]; } row __attribute__((aligned(32)));
#endif

void work(Parameters *p) {
  doublev4 v = simd_set_doublev4(1, 2, 3, _MYID);
  double *to = row.v;
  asm volatile("" : : : "memory");
  simd_store(v, to);  // where
  p->y[_MYID] = row.v[_MYID % 4];
}
