/* Descriptors that are set once, two buffers in turn, waits for counters in an array. */
#include <slave.h>
#include <math.h>
#include <simd.h>
#include <dma.h>
#include "args.h"
#define NBUF 2
#define TILE_R 8
#define TILE_C 32
#define SIMDTYPED doublev4
#define SIMDSIZE 4
#define DMA_WAIT(r, n) dma_wait(&(r), (n)); (r) = 0
__thread_local_fix dma_desc dma_get_in, dma_put_out;
static inline void scale_tile(double *restrict buf, int n, double f) {
  int i;
  SIMDTYPED vf = f, v;
  for (i = 0; i < n; i += SIMDSIZE) {
    simd_load(v, buf + i);  // where 2
    v = v * vf;
    simd_store(v, buf + i);
  }
}
void FJR_scale(ScalePara *ptr)
{
  int id = athread_get_id(-1);
  int cid = id % 8, rid = id / 8;
  ScalePara p;
  volatile int get_reply[NBUF] = {0, 0}, put_reply[NBUF] = {0, 0};
  volatile int param_reply = 0;
  athread_get(PE_MODE, ptr, &p, sizeof(ScalePara), (void*)&param_reply, 0, 0, 0);
  while (param_reply != 1);
  double *local = (double*)(long)ldm_malloc(sizeof(double)*TILE_R*TILE_C*NBUF);
  int ntile = p.rows / 8 / TILE_R, t, cur = 0;   /* a column of tiles per CPE */
  double *src = p.in + (long)rid * (p.rows/8) * p.cols + cid * TILE_C;
  double *dst = p.out + (long)rid * (p.rows/8) * p.cols + cid * TILE_C;
  dma_set_op(&dma_get_in, DMA_GET);
  dma_set_mode(&dma_get_in, PE_MODE);
  dma_set_size(&dma_get_in, TILE_R*TILE_C*sizeof(double));
  dma_set_bsize(&dma_get_in, TILE_C*sizeof(double));
  dma_set_stepsize(&dma_get_in, (p.cols - TILE_C)*sizeof(double));
  dma_set_op(&dma_put_out, DMA_PUT);
  dma_set_mode(&dma_put_out, PE_MODE);
  dma_set_size(&dma_put_out, TILE_R*TILE_C*sizeof(double));
  dma_set_bsize(&dma_put_out, TILE_C*sizeof(double));
  dma_set_stepsize(&dma_put_out, (p.cols - TILE_C)*sizeof(double));
  dma_set_reply(&dma_get_in, &get_reply[0]);
  dma(dma_get_in, (long)src, (long)local);  // cause 2
  for (t = 0; t < ntile; ++t, cur ^= 1) {
    double *buf = local + cur*TILE_R*TILE_C;
    int nxt = cur ^ 1;
    if (t + 1 < ntile) {
      if (t >= 1) {
#if FAULT != 1
        DMA_WAIT(put_reply[nxt], 1);
#endif
      }
      dma_set_reply(&dma_get_in, &get_reply[nxt]);
      dma(dma_get_in, (long)(src + (long)(t+1)*TILE_R*p.cols), (long)(local + nxt*TILE_R*TILE_C));  // where 1
    }
#if FAULT == 2
    DMA_WAIT(get_reply[t + 1 < ntile ? nxt : cur], 1);
#else
    DMA_WAIT(get_reply[cur], 1);
#endif
    scale_tile(buf, TILE_R*TILE_C, p.f);
    dma_set_reply(&dma_put_out, &put_reply[cur]);
    dma(dma_put_out, (long)(dst + (long)t*TILE_R*p.cols), (long)(buf));  // cause 1, where 3
  }
#if FAULT != 3
  dma_wait(&put_reply[0], 1);
#endif
  dma_wait(&put_reply[1], 1);
  ldm_free(local, sizeof(double)*TILE_R*TILE_C*NBUF);  // cause 3
}
