#include "cpe.h"

__thread_local float a, b;
__thread_local athread_rply_t remote;

#ifdef GOOD
#define COPIES 2
#else
#define COPIES 3
#endif

/* Two copies come. */
void work(Parameters *p) {
  a = b = 1;
  remote = 0;
  athread_ssync_array();
  if (_MYID == 1) athread_rma_put(&a, 4, 0, &b, &remote);
  athread_ssync_array();
  if (_MYID == 2) athread_rma_put(&a, 4, 0, &b, &remote);
  if (_MYID == 0) athread_rma_wait_value(&remote, COPIES);  // where
}
