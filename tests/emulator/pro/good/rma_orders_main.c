#include "cpe.h"

__thread_local float block[BLOCK], flag;
__thread_local athread_rply_t told;

/* A ring: each CPE passes main memory on to the next one, and tells it by RMA. */
void work(Parameters *p) {
  flag = 1;
  told = 0;
  athread_ssync_array();
  if (_MYID > 0) {
    athread_rma_wait_value(&told, 1);
    athread_dma_get(block, p->y, sizeof block);
  }
  for (int i = 0; i < BLOCK; ++i) block[i] = _MYID == 0 ? (float)i : block[i] + 1;
  athread_dma_put(p->y, block, sizeof block);
  if (_MYID < 63) athread_rma_put(&flag, 4, _MYID + 1, &flag, &told);
}
