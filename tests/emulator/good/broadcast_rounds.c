#include "cpe.h"

#include "dma.h"

__thread_local volatile int reply;
__thread_local float panel[2][BLOCK];
__thread_local float sum[BLOCK];

/* Each CPE of a row in turn broadcasts a panel to its row, into two buffers by turns, so that one
   barrier a round is enough; the first row also broadcasts to all. */
void work(Parameters *p) {
  dma_desc row;
  dma_descriptor_init(&row, &reply);
  dma_set_size(&row, sizeof panel[0]);
  dma_set_op(&row, DMA_GET);
  dma_set_mode(&row, BCAST_MODE);
  dma_set_mask(&row, 1 << _ROW);
  for (int k = 0; k < BLOCK; ++k) sum[k] = 0;
  for (int round = 0; round < 8; ++round) {
    float *const now = panel[round & 1];
    if (_COL == round) {
      reply = 0;
      dma(row, (long)(p->x + (_ROW * 8 + round) * BLOCK), (long)now);
      dma_wait(&reply, 1);
    }
    athread_syn(ROW_SCOPE, 0xff);
    for (int k = 0; k < BLOCK; ++k) sum[k] += now[k];
  }
  REQUIRE(sum[5] == 16);
  athread_syn(ARRAY_SCOPE, 0xffff);
  if (_MYID == 7) {
    reply = 0;
    BROADCAST(p->x, panel, reply);
    while (reply != 1);
    sum[0] = panel[0][1];
  }
  athread_syn(ARRAY_SCOPE, 0xffff);
  p->y[_MYID] = sum[0] + panel[0][_MYID];
}
