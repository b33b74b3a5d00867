#include "cpe.h"

/* Sent along the row and along the column; taken from the row alone. */
void work(Parameters *p) {
  doublev4 v = simd_set_doublev4(1, 2, 3, 4);
  simd_putr(v, (_COL + 1) & 7);
  simd_putc(v, (_ROW + 1) & 7);  // where
  simd_getr(v);
#ifdef GOOD
  simd_getc(v);
#endif
  p->y[_MYID] = simd_vextf1(v);
}
