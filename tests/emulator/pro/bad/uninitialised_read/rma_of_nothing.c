#include "cpe.h"

__thread_local float a, b;
__thread_local athread_rply_t remote;

/* What was sent had no value. */
void work(Parameters *p) {
  remote = 0;
#ifdef GOOD
  a = 1;
#endif
  athread_ssync_array();
  if (_MYID == 1) athread_rma_put(&a, 4, 0, &b, &remote);
  if (_MYID == 0) {
    athread_rma_wait_value(&remote, 1);
    p->y[0] = 2 * b;  // where
  }
}
