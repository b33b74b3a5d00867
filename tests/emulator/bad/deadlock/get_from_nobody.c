#include "cpe.h"

void work(Parameters *p) {
  doublev4 v = simd_set_doublev4(1, 2, 3, 4);
#ifdef GOOD
  simd_putr(v, (_COL + 1) & 7);
#endif
  simd_getr(v);  // where
  p->y[_MYID] = simd_vextf1(v);
}
