#include "cpe.h"

__thread_local float a, b;
__thread_local athread_rply_t local;

/* What the get brings is used before it is there. */
void work(Parameters *p) {
  a = (float)_MYID;
  b = 0;
  local = 0;
  athread_ssync_array();
  athread_rma_iget(&b, &local, 4, _MYID ^ 1, &a, 0);  // cause
#ifdef GOOD
  athread_rma_wait_value(&local, 1);
#endif
  p->y[_MYID] = b;  // where
  athread_rma_wait_value(&local, 1);
}
