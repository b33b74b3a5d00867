#include "cpe.h"

/* A cast between vectors of floats and of doubles converts each lane, as these compilers have it. */
void work(Parameters *p) {
  float part[4] __attribute__((aligned(32)));
  floatv4 x;
  for (int i = 0; i < 4; ++i) part[i] = p->x[_MYID * 4 + i];
  simd_load(x, part);
  doublev4 sum = (doublev4)x + (doublev4)(floatv4)((doublev4)x * 0.5);
  x = (floatv4)sum;
  simd_store(x, part);
  for (int i = 0; i < 4; ++i) {
    while (part[i] != p->x[_MYID * 4 + i] * 1.5f);
    p->y[_MYID * 4 + i] = part[i];
  }
}
