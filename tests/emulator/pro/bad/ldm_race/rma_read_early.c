#include "cpe.h"

__thread_local float a, b;
__thread_local athread_rply_t remote;

/* The receiver does not wait for its counter. */
void work(Parameters *p) {
  a = b = (float)_MYID;
  remote = 0;
  athread_ssync_array();
  if (_MYID == 0) athread_rma_put(&a, 4, 5, &b, &remote);  // cause
#ifdef GOOD
  if (_MYID == 5) athread_rma_wait_value(&remote, 1);
#endif
  if (_MYID == 5) p->y[0] = b;  // where
}
