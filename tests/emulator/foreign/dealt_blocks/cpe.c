/* A get in RANK_MODE, and the row meets by assembly. */
#include "slave.h"
#include "dma.h"
#include "simd.h"
typedef struct { float *A, *B; int M, K; } P;
__thread_local_fix dma_desc da;
void sw_rank(P *q) {
  int id = athread_get_id(-1), cid = id % 8;
  volatile int r = 0, w = 0;
  const int M = q->M, K = q->K;
  float *l = (float*)ldm_malloc(M*K/64*sizeof(float));
  athread_syn(ARRAY_SCOPE, 0xffff);
  dma_set_op(&da, DMA_GET);
  dma_set_mode(&da, RANK_MODE);
  dma_set_size(&da, M*K/64*4);
  dma_set_bsize(&da, M/8*4);
  dma_set_stepsize(&da, 0);
  dma_set_reply(&da, &r);
  dma(da, (long)(q->A + id*M*K/64), (long)(l + cid*M*K/64/8));  // cause 1
  dma_wait(&r, 1); r = 0;
#if FAULT != 1
  asm volatile("ldi $1, 0xff\n synr $1" ::: "memory", "$1");
#endif
  athread_put(PE_MODE, l, q->B + id*M*K/64, M*K/64*4, (void*)&w, 0, 0);  // where 1
  while (w != 1);
  ldm_free(l, M*K/64*4);
}
