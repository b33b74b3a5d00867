#include "cpe.h"

__thread_local float a, b;
__thread_local athread_rply_t remote;

#ifdef GOOD
#define OTHER 3
#else
#define OTHER 4
#endif

/* CPEs 0 to 3 run. */
void work(Parameters *p) {
  a = b = 1;
  remote = 0;
  athread_ssync_array();
  if (_MYID == 1) athread_rma_put(&a, 4, OTHER, &b, &remote);  // where
  if (_MYID == 3) while (remote < (OTHER == 3));
}
