#include "cpe.h"

__thread_local volatile int reply[2];
__thread_local float block[2][8];

/* Waits for the put before the last one only. */
void work(Parameters *p) {
  for (int t = 0; t < 4; ++t) {
    if (t >= 2) {
      while (reply[t & 1] != 1);
    }
    for (int i = 0; i < 8; ++i) block[t & 1][i] = t;
    reply[t & 1] = 0;
    athread_put(PE_MODE, block[t & 1], p->y + _MYID * BLOCK + t * 8, 32, (void *)&reply[t & 1], 0, 0);  // where
  }
  while (reply[0] != 1);
#ifdef GOOD
  while (reply[1] != 1);
#endif
}
