#include "cpe.h"

__thread_local float block[BLOCK], column[16];
__thread_local athread_rply_t got;
__thread_local crts_rply_t put;

void work(Parameters *p) {
  const float *x = p->x + _MYID * BLOCK;
  float *y = p->y + _MYID * BLOCK;
  athread_dma_get(block, x, sizeof block);
  REQUIRE(block[0] == 2 && block[BLOCK - 1] == 2);

  /* The counter goes on rising: a wait ends when it has reached the value. */
  got = 0;
  athread_dma_iget(block, x, sizeof block / 2, &got);
  athread_dma_iget(block + BLOCK / 2, x + BLOCK / 2, sizeof block / 2, &got);
  athread_dma_wait_value(&got, 2);
  athread_dma_iget_stride(column, x, sizeof column, 4, 12, &got);
  athread_dma_wait_value(&got, 3);
  athread_dma_wait_value(&got, 1);
  REQUIRE(column[15] == 2);

  for (int i = 0; i < BLOCK; ++i) block[i] += (float)i;
  put = 0;
  CRTS_dma_iput(y, block, sizeof block / 2, &put);
  CRTS_dma_wait_value(&put, 1);
  CRTS_dma_put(y + BLOCK / 2, block + BLOCK / 2, sizeof block / 2);
  CRTS_dma_put_stride(y, column, sizeof column, 4, 12);

  /* Of main memory for a column, a row, all. */
  CRTS_dma_col_bcast_coll(block, p->x, sizeof block);
  REQUIRE(block[5] == 2);
  CRTS_dma_row_bcast_coll(block, p->x, sizeof block);
  CRTS_dma_bcast_coll(block, p->x, sizeof block);
  got = 0;
  athread_ssync_array();
  if (_MYID == 20) athread_dma_ibcast(block, p->x + BLOCK, sizeof block, &got);
  athread_dma_wait_value(&got, 1);
  REQUIRE(block[7] == 2);
  athread_ssync_array();

  /* The old calls are there too. */
  put = 0;
  athread_get(PE_MODE, (void *)x, block, sizeof block, (void *)&put, 0, 0, 0);
  while (put != 1)
    ;
  REQUIRE(block[63] == 2);
  athread_ssync_peer(_MYID ^ 1);
}
