#include "cpe.h"

__thread_local volatile int reply[2];
__thread_local float block[2][BLOCK];

/* The wait looks at the counter of the block that has just been asked for. */
void work(Parameters *p) {
  const int quarter = BLOCK / 4;
  float sum = 0;
  reply[0] = 0;
  athread_get(PE_MODE, (void *)(p->x + _MYID * BLOCK), block[0], quarter * 4, (void *)&reply[0], 0, 0, 0);
  for (int t = 0; t < 4; ++t) {
    int now = t & 1, next = now ^ 1;
    if (t + 1 < 4) {
      reply[next] = 0;
      athread_get(PE_MODE, (void *)(p->x + _MYID * BLOCK + (t + 1) * quarter), block[next], quarter * 4, (void *)&reply[next], 0, 0, 0);
    }
#ifdef GOOD
    while (reply[now] != 1);
#else
    while (reply[t + 1 < 4 ? next : now] != 1);
#endif
    for (int i = 0; i < quarter; ++i) sum += block[now][i];  // where
  }
  while (reply[0] != 1);
  p->y[_MYID * BLOCK] = sum;
}
