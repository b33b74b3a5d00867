#include "cpe.h"

void work(Parameters *p) {
  floatv4 v, w = simd_set_floatv4(1, 2, 3, 4);
#ifdef GOOD
  const float *from = p->x + _MYID * 4;
#else
  const float *from = p->x + _MYID * 3;
#endif
  simd_load(v, from);  // where
  v = simd_vmas(v, v, w);
  p->y[_MYID] = simd_vextf0(v) + simd_vextf1(v) + simd_vextf2(v) + simd_vextf3(v);
}
