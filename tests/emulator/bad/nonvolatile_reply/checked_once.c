#include "cpe.h"

__thread_local volatile int counter;
__thread_local float block[BLOCK];

/* Reads the counter through a plain pointer, in a loop with a call in it. */
void work(Parameters *p) {
#ifdef GOOD
  volatile int *reply = &counter;
#else
  int *reply = (int *)&counter;
#endif
  *reply = 0;
  GET(p->x + _MYID * BLOCK, block, *reply);  // cause
  while (*reply == 0) (void)get_allocatable_size();  // where
  p->y[_MYID] = block[0];
}
