#include "cpe.h"

__thread_local volatile int reply[2];
__thread_local float block[2][BLOCK];

/* Waits for one counter and resets both. */
void work(Parameters *p) {
  reply[0] = reply[1] = 0;
  GET(p->x + _MYID * BLOCK, block[0], reply[0]);
  GET(p->x + (_MYID + 1) % 64 * BLOCK, block[1], reply[1]);  // cause
  while (reply[0] != 1);
#ifdef GOOD
  while (reply[1] != 1);
#endif
  for (int i = 0; i < 2; ++i) reply[i] = 0;  // where
  p->y[_MYID] = block[0][0];
}
