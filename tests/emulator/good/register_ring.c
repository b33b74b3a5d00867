#include "cpe.h"

/* Vectors of every type travel around the rows, and then the columns, of the mesh; who has taken a
   message may read what its sender wrote before. */
void work(Parameters *p) {
  const int next_column = (_COL + 1) & 7, next_row = (_ROW + 1) & 7;
  floatv4 f = simd_set_floatv4(_MYID, 0.5f, -2, 1e-30f);
  doublev4 d = simd_set_doublev4(_MYID, 1.0 / 3, -1e300, 0);
  intv8 i = simd_set_intv8(_MYID, -1, 2, 3, 4, 5, 6, 7);
  p->y[_MYID] = _MYID;
  for (int hop = 0; hop < 8; ++hop) {
    simd_putr(f, next_column);
    simd_putr(d, next_column);
    simd_putr(i, next_column);
    simd_getr(f);
    simd_getr(d);
    simd_getr(i);
  }
  const int left = _ROW * 8 + ((_COL + 7) & 7);
  const float seen = p->y[left];
  simd_putc(f, next_row);
  simd_getc(f);
  const int above = ((_ROW + 7) & 7) * 8 + _COL;
  REQUIRE(simd_vextf0(f) == above && simd_vextf3(f) == 1e-30f);
  REQUIRE(simd_vextf0(d) == _MYID && simd_vextf2(d) == -1e300);
  REQUIRE(i[0] == _MYID && i[1] == -1 && i[7] == 7);
  REQUIRE(seen == left);
}
