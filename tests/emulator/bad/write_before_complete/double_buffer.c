#include "cpe.h"

__thread_local volatile int put[2];
__thread_local float block[2][8];

/* The wait looks at the counter of the other buffer. */
void work(Parameters *p) {
  for (int t = 0; t < 6; ++t) {
    int now = t & 1;
    if (t >= 2) {
#ifdef GOOD
      while (put[now] != t / 2);
#else
      while (put[now ^ 1] != (t + 1) / 2 - (1 - now));
#endif
    } else {
      put[now] = 0;
    }
    for (int i = 0; i < 8; ++i) block[now][i] = t + i;  // where
    athread_put(PE_MODE, block[now], p->y + _MYID * BLOCK + t * 8, 32, (void *)&put[now], 0, 0);  // cause
  }
  while (put[0] != 3);
  while (put[1] != 3);
}
