#include "cpe.h"

__uncached long words[2];

void work(Parameters *p) {
#ifdef GOOD
  char *const lock = (char *)&words[1];
#else
  char *const lock = (char *)words + 4;
#endif
  athread_lock(lock);  // where
  athread_unlock(lock);
}
