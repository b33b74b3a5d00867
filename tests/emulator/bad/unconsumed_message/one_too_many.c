#include "cpe.h"

void work(Parameters *p) {
  doublev4 v = simd_set_doublev4(1, 2, 3, 4);
  for (int k = 0; k < 3; ++k) {
    simd_putr(v, (_COL + 1) & 7);  // where
#ifndef GOOD
    if (k == 2) break;
#endif
    simd_getr(v);
  }
  p->y[_MYID] = simd_vextf1(v);
}
