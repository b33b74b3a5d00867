#include "cpe.h"
#include "dma.h"

__thread_local_fix dma_desc load, store;
__thread_local volatile unsigned long reply;
__thread_local float tile[4][16];

/* Setters alone: the fields that nobody sets are never used. */
void work(Parameters *p) {
  dma_set_op(&load, DMA_GET);
  dma_set_mode(&load, PE_MODE);
  dma_set_reply(&load, &reply);
  dma_set_size(&load, sizeof tile);
  dma_set_bsize(&load, 16 * 4);
  dma_set_stepsize(&load, 0);
  dma_set_op(&store, DMA_PUT);
  dma_set_mode(&store, PE_MODE);
  dma_set_reply(&store, &reply);
  dma_set_bsize(&store, 16 * 4);
  dma_set_stepsize(&store, 0);
  reply = 0;
  dma(load, (long)(p->x + _MYID * BLOCK), (long)tile);
  dma_wait(&reply, 1);
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 16; ++c) tile[r][c] *= 2;
  }
  reply = 0;
  dma_set_size(&store, sizeof tile);
  dma(store, (long)(p->y + _MYID * BLOCK), (long)tile);
  dma_wait(&reply, 1);
}
