#include "cpe.h"

__uncached long lock, sum;

/* One CPE returns with the lock. */
void work(Parameters *p) {
  athread_lock(&lock);  // where
  sum += 1;
#ifndef GOOD
  if (_MYID == 5) return;
#endif
  athread_unlock(&lock);
}
