#include "cpe.h"

__thread_local float a, b;
__thread_local athread_rply_t local, remote;

/* The local counter is set back before it has risen. */
void work(Parameters *p) {
  a = 1;
  b = 0;
  local = remote = 0;
  athread_ssync_array();
  if (_MYID == 0) {
    athread_rma_iput(&a, &local, 4, 1, &b, &remote);  // cause
#ifdef GOOD
    athread_rma_wait_value(&local, 1);
#endif
    local = 0;  // where
#ifndef GOOD
    athread_rma_wait_value(&local, 1);
#endif
  }
  if (_MYID == 1) athread_rma_wait_value(&remote, 1);
}
