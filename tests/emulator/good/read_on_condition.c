#include "cpe.h"

/* What is being filled is read in the other branch only; a compiler may read it in both. */
__thread_local float blocks[2];
__thread_local volatile int replies[2];

void work(Parameters *p) {
  if (_MYID != 0) return;
  for (long row = 0; row < 3; ++row) {
    for (long k = 0; k < 2; ++k) {
      float *total = p->y + row * 2 + k;
      *total = 0;
      if (k == 0) {
        replies[1 - k] = 0;
        athread_get(PE_MODE, (void *)(p->x + row), &blocks[1 - k], 4, (void *)&replies[1 - k], 0, 0,
                    0);
      } else {
        while (replies[k] != 1);
      }
      for (long n = 1; n < 9; ++n) *total = *total + (k == 0 ? 0.0f : blocks[k]);
    }
  }
}
