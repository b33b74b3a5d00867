#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

#include "simd.h"

void work(Parameters *p) {
  doublev4 v = simd_set_doublev4(1, 2, 3, 4);
  simd_putr(v, 8);
}
