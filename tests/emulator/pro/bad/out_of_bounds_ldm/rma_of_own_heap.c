#include "cpe.h"

__thread_local float a;
__thread_local athread_rply_t remote;

/* Only one CPE allocates. */
void work(Parameters *p) {
  a = 1;
  remote = 0;
  float *block = 0;
#ifdef GOOD
  block = ldm_malloc(64);
#else
  if (_MYID == 1) block = ldm_malloc(64);
#endif
  athread_ssync_array();
  if (_MYID == 1) athread_rma_put(&a, 4, 0, block, &remote);  // where
#ifdef GOOD
  if (_MYID == 0) athread_rma_wait_value(&remote, 1);
#endif
}
