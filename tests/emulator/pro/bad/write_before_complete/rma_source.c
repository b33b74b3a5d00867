#include "cpe.h"

__thread_local float a, b;
__thread_local athread_rply_t local, remote;

/* The issuer changes what it sends before it knows that it has left. */
void work(Parameters *p) {
  a = 1;
  b = 0;
  local = remote = 0;
  athread_ssync_array();
  if (_MYID == 8) {
    athread_rma_iput(&a, &local, 4, 9, &b, &remote);  // cause
#ifdef GOOD
    athread_rma_wait_value(&local, 1);
#endif
    a = 2;  // where
    athread_rma_wait_value(&local, 1);
  }
  if (_MYID == 9) athread_rma_wait_value(&remote, 1);
  p->y[_MYID] = b;
}
