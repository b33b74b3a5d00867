#include "cpe.h"

__uncached long locks[6], sum;

/* Each group has a lock of its own, and the sum none. */
void work(Parameters *p) {
#ifdef GOOD
  long *const lock = &locks[0];
#else
  long *const lock = &locks[CRTS_cgn];
#endif
  athread_lock(lock);
  sum += 1;  // where
  athread_unlock(lock);
}
