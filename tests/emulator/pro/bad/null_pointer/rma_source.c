#include "cpe.h"

__thread_local float a, b;
__thread_local athread_rply_t remote;

void work(Parameters *p) {
  a = b = 1;
  remote = 0;
#ifdef GOOD
  float *source = &a;
#else
  float *source = 0;
#endif
  athread_ssync_array();
  if (_MYID == 1) athread_rma_put(source, 4, 0, &b, &remote);  // where
  if (_MYID == 0) athread_rma_wait_value(&remote, 1);
}
