#include "cpe.h"

/* The message comes before what it is to announce. */
void work(Parameters *p) {
  doublev4 v = simd_set_doublev4(1, 2, 3, 4);
#ifdef GOOD
  p->y[_MYID] = _MYID;
#endif
  simd_putr(v, (_COL + 1) & 7);
#ifndef GOOD
  p->y[_MYID] = _MYID;  // cause
#endif
  simd_getr(v);
  p->y[64 + _MYID] = p->y[_ROW * 8 + ((_COL + 7) & 7)];  // where
}
