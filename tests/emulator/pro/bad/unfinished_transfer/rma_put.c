#include "cpe.h"

__thread_local float a, b;
__thread_local athread_rply_t local, remote;

/* The receiver waits, but nobody tells the issuer. */
void work(Parameters *p) {
  a = 1;
  b = 0;
  local = remote = 0;
  athread_ssync_array();
  if (_MYID == 0) athread_rma_iput(&a, 0, 4, 1, &b, &remote);  // where
  if (_MYID == 1) athread_rma_wait_value(&remote, 1);
#ifdef GOOD
  athread_ssync_array();
#endif
  p->y[_MYID] = a;
}
