#include "dma.h"
#include "simd.h"
#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

#define BLOCK 64

__thread_local volatile int reply;
__thread_local float block[BLOCK] __attribute__((aligned(32)));
__thread_local dma_desc get, put;

void work(Parameters *p) {
  dma_set_op(&get, DMA_GET);
  dma_set_mode(&get, PE_MODE);
  dma_set_size(&get, BLOCK * 4);
  dma_set_bsize(&get, BLOCK * 4);
  dma_set_stepsize(&get, 0);
  dma_set_reply(&get, &reply);
  dma_descriptor_init(&put, &reply);
  dma_set_op(&put, DMA_PUT);
  dma_set_size(&put, BLOCK * 4);
  reply = 0;
  dma(get, (long)(p->x + _MYID * BLOCK), (long)block);
  dma_wait(&reply, 1);
  for (int i = 0; i < BLOCK; i += 4) {
    floatv4 v, two = simd_set_floatv4(2, 2, 2, 2), one = simd_set_floatv4(1, 1, 1, 1);
    simd_load(v, &block[i]);
    v = simd_vmas(v, two, one);
    simd_store(v, &block[i]);
  }
  reply = 0;
  dma(put, (long)(p->y + _MYID * BLOCK), (long)block);
  dma_wait(&reply, 1);
}
