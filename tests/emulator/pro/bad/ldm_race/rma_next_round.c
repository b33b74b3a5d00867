#include "cpe.h"

__thread_local float a, b, sum;
__thread_local athread_rply_t remote;

/* The second copy may come before the first value has been used. */
void work(Parameters *p) {
  a = (float)_MYID;
  b = sum = 0;
  remote = 0;
  athread_ssync_array();
  for (int round = 0; round < 2; ++round) {
    if (_COL == 0) athread_rma_row_bcast_other(&b, &a, 4, &remote);  // cause
    if (_COL != 0) {
      athread_rma_wait_value(&remote, round + 1);
      sum += b;  // where
    }
#ifdef GOOD
    athread_ssync_row();
#endif
  }
  p->y[_MYID] = sum;
}
