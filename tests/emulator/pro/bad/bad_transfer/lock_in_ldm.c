#include "cpe.h"

#ifdef GOOD
__uncached long lock;
#else
__thread_local long lock = 0;
#endif

void work(Parameters *p) {
  athread_lock(&lock);  // where
  athread_unlock(&lock);
}
