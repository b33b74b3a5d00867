#include "cpe.h"

/* Counters are automatic variables and tiles lie in the heap: at the same places on all CPEs, as
   these run the same code. The issuer counts and waits where the others do. */
void work(Parameters *p) {
  volatile athread_rply_t sent = 0, got[2] = {0, 0};
  float *own = (float *)ldm_malloc(BLOCK * sizeof(float));
  float *tile = (float *)ldm_malloc(2 * BLOCK * sizeof(float));
  float sum = 0;
  for (int i = 0; i < BLOCK; ++i) own[i] = (float)(_MYID + i);
  athread_ssync_array();
  for (int round = 0; round < 8; ++round) {
    float *to = tile + round % 2 * BLOCK;
    if (_COL == round) {
      athread_rma_row_ibcast(to, own, BLOCK * sizeof(float), &sent, &got[round % 2]);
      athread_rma_wait_value(&sent, 1);
    }
    athread_rma_wait_value(&got[round % 2], round / 2 + 1);
    sum += to[round];
    athread_ssync(ROW_SCOPE, 0xff);
  }
  REQUIRE(sum == (float)(8 * 8 * _ROW + 2 * 28));
  ldm_free(tile, 2 * BLOCK * sizeof(float));
  ldm_free(own, BLOCK * sizeof(float));
  p->y[_MYID] = sum;
}
