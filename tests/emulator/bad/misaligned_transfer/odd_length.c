#include "cpe.h"

__thread_local volatile int reply;
__thread_local char block[BLOCK];

void work(Parameters *p) {
#ifdef GOOD
  const int bytes = 8;
#else
  const int bytes = 6;
#endif
  reply = 0;
  athread_get(PE_MODE, (void *)p->x, block, bytes, (void *)&reply, 0, 0, 0);  // where
  while (reply != 1);
  p->y[_MYID] = block[0];
}
