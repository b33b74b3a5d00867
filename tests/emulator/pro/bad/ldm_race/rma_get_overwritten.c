#include "cpe.h"

__thread_local float a, b;

/* The owner goes on and changes what another one gets. */
void work(Parameters *p) {
  b = 0;
  a = 1;
  athread_ssync_array();
  if (_MYID == 3) athread_rma_get(&b, 4, 30, &a, 0);  // cause
#ifdef GOOD
  athread_ssync_array();
#endif
  if (_MYID == 30) a = 2;  // where
  p->y[_MYID] = b;
}
