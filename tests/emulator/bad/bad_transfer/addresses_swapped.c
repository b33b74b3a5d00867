#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

void work(Parameters *p) {
  for (int i = 0; i < BLOCK; ++i) block[i] = i;
  reply = 0;
#ifdef GOOD
  PUT(block, p->y + _MYID * BLOCK, reply);
#else
  PUT(p->y + _MYID * BLOCK, block, reply);  // where
#endif
  while (reply != 1);
}
