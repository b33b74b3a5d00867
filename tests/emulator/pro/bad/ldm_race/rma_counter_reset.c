#include "cpe.h"

__thread_local float a, b;
__thread_local athread_rply_t remote;

/* Perhaps the counter is set to 0 after it has risen. */
void work(Parameters *p) {
  a = b = (float)_MYID;
  athread_ssync_array();
  remote = 0;  // where
#ifdef GOOD
  athread_ssync_array();
#endif
  if (_MYID == 63) athread_rma_put(&a, 4, 5, &b, &remote);  // cause
  if (_MYID == 5) athread_rma_wait_value(&remote, 1);
}
