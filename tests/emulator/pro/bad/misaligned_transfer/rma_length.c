#include "cpe.h"

__thread_local char a[8], b[8];
__thread_local athread_rply_t remote;

#ifdef GOOD
#define COUNT 4
#else
#define COUNT 6
#endif

void work(Parameters *p) {
  for (int i = 0; i < 8; ++i) a[i] = b[i] = 1;
  remote = 0;
  athread_ssync_array();
  if (_MYID == 1) athread_rma_put(a, COUNT, 0, b, &remote);  // where
  if (_MYID == 0) athread_rma_wait_value(&remote, 1);
}
