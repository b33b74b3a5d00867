#include "cpe.h"

/* All CPEs of a row send to its first one, which adds up; then the first column. */
void work(Parameters *p) {
  doublev4 v = simd_set_doublev4(_MYID, 1, p->x[_MYID], 0);
  if (_COL != 0) {
    simd_putr(v, 0);
    return;
  }
  for (int k = 1; k < 8; ++k) {
    doublev4 other;
    simd_getr(other);
    v = v + other;
  }
  if (_ROW != 0) {
    simd_putc(v, 0);
    return;
  }
  for (int k = 1; k < 8; ++k) {
    doublev4 other;
    simd_getc(other);
    v += other;
  }
  REQUIRE(simd_vextf0(v) == 63 * 32 && simd_vextf1(v) == 64);
  p->y[0] = simd_vextf2(v);
}
