#include "cpe.h"

/* The compiler chooses between two arrays first, one of them begun two rows early, and adds the
 * index then: what it chose may be an address in a third array. */
void work(Parameters *p) {
  if (_MYID != 0) return;
  void *before = ldm_malloc(144);
  float(*sums)[6] = (float(*)[6])ldm_malloc(144);
  const float(*x)[6] = (const float(*)[6])p->x;
  float(*out)[6] = (float(*)[6])p->y;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      if (i > 1 && i != 5 && j != 4) {
        sums[i - 2][j] = 0;
        for (int k = 0; k < 6; ++k) sums[i - 2][j] += x[i][k];
      }
      out[i][j] = i * 2 < 4 || j == 4 || i > 4 ? x[i][j] : sums[i - 2][j];
    }
  }
  ldm_free(before, 144);
  ldm_free(sums, 144);
}
