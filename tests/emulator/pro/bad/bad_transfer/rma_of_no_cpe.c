#include "cpe.h"

__thread_local float a, b;

#ifdef GOOD
#define OTHER 63
#else
#define OTHER 64
#endif

void work(Parameters *p) {
  a = b = 1;
  athread_ssync_array();
  if (_MYID == 1) athread_rma_put(&a, 4, OTHER, &b, 0);  // where
}
