#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[2][BLOCK];

/* All gets are issued first; the buffer does not alternate. */
void work(Parameters *p) {
  reply = 0;
  for (int t = 0; t < 2; ++t) {
#ifdef GOOD
    GET(p->x + (_MYID + t) % 64 * BLOCK, block[t], reply);
#else
    GET(p->x + (_MYID + t) % 64 * BLOCK, block[0], reply);  // where
#endif
  }
  while (reply != 2);
  p->y[_MYID] = block[0][0];
}
