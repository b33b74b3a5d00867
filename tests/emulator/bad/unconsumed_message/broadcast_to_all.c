#include "cpe.h"

/* The last column takes nothing. */
void work(Parameters *p) {
  doublev4 v = simd_set_doublev4(1, 2, 3, 4);
  if (_COL == 0) {
    simd_putr(v, 8);  // where
#ifdef GOOD
  } else {
#else
  } else if (_COL != 7) {
#endif
    simd_getr(v);
  }
  p->y[_MYID] = simd_vextf1(v);
}
