#include "cpe.h"

__thread_local float value;

/* One group leaves a round early. */
void work(Parameters *p) {
#ifdef GOOD
  const int rounds = 2;
#else
  const int rounds = CRTS_cgn == 3 ? 1 : 2;
#endif
  for (int round = 0; round < rounds; ++round) athread_ssync_node();  // where
  value = 1;
  athread_dma_put(p->y + CRTS_cgn * 64 + _MYID, &value, sizeof value);
}
