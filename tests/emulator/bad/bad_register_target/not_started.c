#include "cpe.h"

/* Eight CPEs run: one row. */
void work(Parameters *p) {
  doublev4 v = simd_set_doublev4(1, 2, 3, 4);
#ifndef GOOD
  if (_COL == 3) simd_putc(v, 8);  // where
#endif
  simd_putr(v, (_COL + 1) & 7);
  simd_getr(v);
  p->y[_MYID] = simd_vextf1(v);
}
