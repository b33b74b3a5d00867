#include "cpe.h"

__thread_local float block[8];

/* The barrier of a core group orders nothing between groups. */
void work(Parameters *p) {
  for (int i = 0; i < 8; ++i) block[i] = (float)CRTS_cgn;
  athread_dma_put(p->y + (CRTS_cgn * 64 + _MYID) * 8, block, sizeof block);  // cause
#ifdef GOOD
  athread_ssync_node();
#else
  athread_ssync_array();
#endif
  const int next = (CRTS_cgn + 1) % 6;
  athread_dma_get(block, p->y + (next * 64 + _MYID) * 8, sizeof block);  // where
}
