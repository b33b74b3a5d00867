#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

#ifdef GOOD
#define POINTER volatile int *
#else
#define POINTER int *
#endif

static void wait_for(POINTER counter, int count) {
  while (*counter != count);  // where
}

void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, block, reply);  // cause
  wait_for((POINTER)&reply, 1);
  p->y[_MYID * BLOCK] = block[0];
}
