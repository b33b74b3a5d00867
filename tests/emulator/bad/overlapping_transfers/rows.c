#include "cpe.h"

__thread_local volatile int reply;
__thread_local float tile[9][8];

/* Rows with a halo: each get takes one row too many. */
void work(Parameters *p) {
#ifdef GOOD
  const int rows = 1;
#else
  const int rows = 2;
#endif
  reply = 0;
  for (int r = 0; r < 8; ++r) {
    athread_get(PE_MODE, (void *)(p->x + _MYID * BLOCK % 4000 + r * 8), tile[r], rows * 32, (void *)&reply, 0, 0, 0);  // where
  }
  while (reply != 8);
  p->y[_MYID] = tile[7][1];
}
