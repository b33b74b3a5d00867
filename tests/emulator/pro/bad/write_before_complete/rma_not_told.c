#include "cpe.h"

__thread_local float a, b;
__thread_local athread_rply_t remote;

/* The receiver, of another row, has waited, but has not met the issuer since. */
void work(Parameters *p) {
  a = 1;
  b = 0;
  remote = 0;
  athread_ssync_array();
  if (_MYID == 0) athread_rma_iput(&a, 0, 4, 9, &b, &remote);  // cause
  if (_MYID == 9) athread_rma_wait_value(&remote, 1);
#ifdef GOOD
  athread_ssync_array();
#else
  athread_ssync_row();
  athread_ssync_row();
#endif
  if (_MYID == 0) a = 2;  // where
  athread_ssync_array();
  p->y[_MYID] = b;
}
