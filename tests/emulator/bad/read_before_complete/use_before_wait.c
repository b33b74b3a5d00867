#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, block, reply);  // cause
#ifdef GOOD
  while (reply != 1);
#endif
  for (int i = 0; i < BLOCK; ++i) p->y[_MYID * BLOCK + i] = block[i] + 1;  // where
  while (reply != 1);
}
