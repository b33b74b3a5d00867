#include "cpe.h"

void work(Parameters *p) {
  floatv4 v = simd_set_floatv4(1, 2, 3, 4);
#ifdef GOOD
  if (_ROW == 0) simd_putc(v, 8);
#else
  if (_ROW == 0) simd_putc(v, 9);  // where
#endif
  if (_ROW != 0) simd_getc(v);
  p->y[_MYID] = simd_vextf1(v);
}
