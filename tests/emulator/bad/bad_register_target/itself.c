#include "cpe.h"

void work(Parameters *p) {
  doublev4 v = simd_set_doublev4(1, 2, 3, 4);
#ifdef GOOD
  simd_putr(v, (_COL + 1) & 7);
#else
  simd_putr(v, _COL);  // where
#endif
  simd_getr(v);
  p->y[_MYID] = simd_vextf1(v);
}
