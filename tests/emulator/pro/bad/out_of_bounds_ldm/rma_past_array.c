#include "cpe.h"

__thread_local float a[4], b[4];
__thread_local athread_rply_t remote;

#ifdef GOOD
#define COUNT 16
#else
#define COUNT 20
#endif

void work(Parameters *p) {
  for (int i = 0; i < 4; ++i) a[i] = b[i] = 1;
  remote = 0;
  athread_ssync_array();
  if (_MYID == 1) athread_rma_put(a, COUNT, 0, b, &remote);  // where
  if (_MYID == 0) athread_rma_wait_value(&remote, 1);
}
