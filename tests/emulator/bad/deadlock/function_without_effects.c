#include "cpe.h"

/* It touches no memory and gives nothing, and so its call does not look needed. */
__attribute__((noinline)) void settle(void) {
#ifndef GOOD
  for (;;);  // where
#endif
}

void work(Parameters *p) {
  settle();
  p->y[_MYID] = p->x[_MYID];
}
