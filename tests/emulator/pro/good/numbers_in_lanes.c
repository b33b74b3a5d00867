#include "cpe.h"

__thread_local doublev8 start = 1;

/* A number given to a vector goes into every lane, as these compilers have it. */
void work(Parameters *p) {
  const float x = p->x[_PEN];
  floatv8 f = x;
  intv16 words = 3;
  doublev8 sum = 0.5, two = 2.0;
  sum = simd_vmad(sum, two, start) + (doublev8)4.0;
  f = f * 2;
  for (int lane = 0; lane < 8; ++lane) {
    REQUIRE(sum[lane] == 6 && f[lane] == 2 * x && words[lane + 8] == 3);
  }
  p->y[_PEN] = f[7];
}
