#include "cpe.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

#ifdef GOOD
#define COUNT(r) (r)
#else
#define COUNT(r) (*(int *)&(r))
#endif

/* The counter is volatile, but the macro that reads it takes that away. */
void work(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, block, reply);
  while (COUNT(reply) < 1);  // where
  p->y[_MYID] = block[1];
}
