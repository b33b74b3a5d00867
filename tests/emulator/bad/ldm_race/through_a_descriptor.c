#include "cpe.h"

#include "dma.h"

__thread_local volatile int reply;
__thread_local float block[BLOCK];

/* As the interface of descriptors does it. */
void work(Parameters *p) {
  dma_desc deal;
  dma_descriptor_init(&deal, &reply);
  dma_set_size(&deal, 128);
  dma_set_bsize(&deal, 16);
  dma_set_op(&deal, DMA_GET);
  dma_set_mode(&deal, RANK_MODE);
  reply = 0;
  dma(deal, (long)(p->x + _COL * 32), (long)(block + _COL * 4));  // cause
  dma_wait(&reply, 1);
#ifdef GOOD
  athread_syn(ROW_SCOPE, 0xff);
#endif
  if (_COL != 2) p->y[_MYID] = block[8];  // where
}
