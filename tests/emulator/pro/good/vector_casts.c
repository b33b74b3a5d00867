#include "cpe.h"
#include <simd.h>

#define HALF(x) (floatv8)(x)
#define REQUIRE(condition) while (!(condition))

/* A cast between vectors of floats and of doubles converts each lane, as these compilers have it. */
void work(Parameters *p) {
  floatv8 x;
  for (int i = 0; i < 8; ++i) ((float *)&x)[i] = p->x[_MYID * 8 + i];
  doublev8 wide = (doublev8)x;
  floatv8 y = -(floatv8)(wide * wide + (doublev8)(floatv8)((doublev8)x + wide)) + HALF(wide
      - (doublev8)x);
  doublev4 four = simd_set_doublev4(1.5, 2, -3, 4);
  floatv4 narrow = (floatv4)four;
  REQUIRE(((float *)&narrow)[2] == -3);
  for (int i = 0; i < 8; ++i) {
    float a = p->x[_MYID * 8 + i];
    REQUIRE(((float *)&y)[i] == -(a * a + 2 * a));
    p->y[_MYID * 8 + i] = ((float *)&y)[i];
  }
}
