#include "cpe.h"

#define HALF 0.5

typedef doublev4 lanes;

__thread_local doublev4 start = 1;

static doublev4 same(double x) { return x; }
static double first(doublev4 v) { return simd_vextf0(v); }

/* A number given to a vector goes into every lane, as these compilers have it. */
void work(Parameters *p) {
  const double x = p->x[_MYID];
  doublev4 zero = 0.0, one = 1, many = x, none;
  const lanes half = HALF;
  floatv4 f = 0.25f, g;
  intv8 words = 7;
  int256 wide = -2;
  none = zero;
  g = x > 100 ? 1.f : 3.f;
  g = f = 2;
  *(doublev4 *)&many = x + 1;
  doublev4 sum = same(x) + one + half + (doublev4)2.0 + (doublev4)(floatv4)(f * g) + start + none;
  for (int lane = 0; lane < 4; ++lane) {
    REQUIRE(sum[lane] == x + 8.5);
    REQUIRE(many[lane] == x + 1);
    REQUIRE(wide[lane] == -2 && words[2 * lane] == 7);
  }
  REQUIRE(first(4) == 4 && 1 / (-(lanes)0.0)[1] < 0);
  p->y[_MYID] = (float)sum[3];
}
