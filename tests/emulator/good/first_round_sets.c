#include "cpe.h"

__thread_local float sums[BLOCK], kept[BLOCK];

/* The first round sets what the later ones add to; the compiler keeps it in registers. */
void work(Parameters *p) {
  float last;
  for (int i = 0; i < BLOCK; ++i) {
    for (int k = 0; k < 8; ++k) {
      if (k == 0) sums[i] = 0;
      sums[i] += p->x[(_MYID + i + k) & 4095];
      if (k > 2) {
        kept[i] = k == 3 ? sums[i] : kept[i] * 2;
        last = kept[i];
      }
    }
  }
  for (int k = _MYID; k < 64; ++k) {
    if (k > _MYID) last += 1;
    if (k == _MYID) last = 0;
  }
  p->y[_MYID] = sums[5] + kept[7] + last;
}
