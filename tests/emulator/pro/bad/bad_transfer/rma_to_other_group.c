#include "cpe.h"

__thread_local float a, b;
__thread_local athread_rply_t sent, got;

#ifdef GOOD
#define NEXT ((CRTS_tid + 1) % 64)
#else
#define NEXT ((CRTS_cgn * 64 + CRTS_tid + 1) % 384)
#endif

/* CPEs of other groups have no numbers here. */
void work(Parameters *p) {
  a = (float)CRTS_tid;
  sent = got = 0;
  athread_ssync_node();
  athread_rma_iput(&a, &sent, sizeof a, NEXT, &b, &got);  // where
  athread_rma_wait_value(&sent, 1);
  athread_rma_wait_value(&got, 1);
}
