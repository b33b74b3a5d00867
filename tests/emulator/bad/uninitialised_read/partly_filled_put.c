#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

void work(Parameters *p) {
#ifdef GOOD
  const int last = BLOCK;
#else
  const int last = BLOCK - 1;
#endif
  for (int i = 0; i < last; ++i) block[i] = p->x[_MYID * BLOCK + i];
  reply = 0;
  PUT(block, p->y + _MYID * BLOCK, reply);  // where
  while (reply != 1);
}
