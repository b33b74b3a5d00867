#include "cpe.h"

__thread_local float a, b;
__thread_local athread_rply_t sent, got;
__cross float *places[6];

/* The address of an object of another group's CPE 1 is not that of the CPE 1 here. */
void work(Parameters *p) {
  a = 1;
  sent = got = 0;
  if (CRTS_tid == 1) places[CRTS_cgn] = &b;
  athread_ssync_node();
#ifdef GOOD
  float *const place = &b;
#else
  float *const place = places[(CRTS_cgn + 1) % 6];
#endif
  if (CRTS_tid == 0) {
    athread_rma_iput(&a, &sent, sizeof a, 1, place, &got);  // where
    athread_rma_wait_value(&sent, 1);
  }
  if (CRTS_tid == 1) athread_rma_wait_value(&got, 1);
}
