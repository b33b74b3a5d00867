#include "cpe.h"

__thread_local float a[4];
__thread_local athread_rply_t remote;

void work(Parameters *p) {
  for (int i = 0; i < 4; ++i) a[i] = 1;
  remote = 0;
  athread_ssync_array();
#ifdef GOOD
  if (_MYID == 1) athread_dma_put(p->y, a, sizeof a);
#else
  if (_MYID == 1) athread_rma_put(a, sizeof a, 0, p->y, &remote);  // where
#endif
}
