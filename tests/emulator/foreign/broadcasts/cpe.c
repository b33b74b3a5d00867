/* A vector broadcast piece by piece into two buffers in turn, by a descriptor. */
#include <slave.h>
#include <simd.h>
#include <dma.h>
typedef struct _tag { void *A, *B; int M; int K; float *C; } tag;
#define CH 128
#define MIN(a, b) ((a) < (b) ? (a) : (b))
__thread_local_fix dma_desc bcast_b;
__thread_local float vec[2][CH];
__thread_local float rows[2][CH] __attribute__((aligned(32)));
static volatile __thread_local int replies[4];
enum { R_PARA, R_VEC, R_ROW, R_OUT };
void sw_slave_ip(tag *para) {
  const int id = athread_get_id(-1);
  tag t;
  float out[2] = {0, 0};
  replies[R_PARA] = 0;
  athread_get(PE_MODE, para, &t, sizeof t, (void *)&replies[R_PARA], 0, 0, 0);
  while (replies[R_PARA] != 1) ;
  replies[R_VEC] = replies[R_ROW] = replies[R_OUT] = 0;
  dma_set_op(&bcast_b, DMA_GET);
  dma_set_mode(&bcast_b, BCAST_MODE);
  dma_set_mask(&bcast_b, 0xff);
  dma_set_size(&bcast_b, CH * sizeof(float));
  dma_set_bsize(&bcast_b, 0);
  dma_set_stepsize(&bcast_b, 0);
  dma_set_reply(&bcast_b, &replies[R_VEC]);
  int n = t.K / CH, c, r, i;
  for (c = 0; c < n; ++c) {
#if FAULT == 2
    float *v = vec[0];
#else
    float *v = vec[c & 1];
#endif
    if (id == 0) {
      dma(bcast_b, (long)((float *)t.B + c * CH), (long)v);  // cause 1, cause 2
      dma_wait(&replies[R_VEC], c + 1);
    }
    for (r = 0; r < 2; ++r)
      athread_get(PE_MODE, (float *)t.A + ((long)id * 2 + r) * t.K + c * CH, rows[r], CH * 4, (void *)&replies[R_ROW], 0, 0, 0);
    while (replies[R_ROW] != 2 * (c + 1)) ;
#if FAULT != 1
    athread_syn(ARRAY_SCOPE, 0xffff);
#endif
    for (r = 0; r < 2; ++r) {
      floatv4 s = 0.0f, a, b;
      for (i = 0; i < CH; i += 4) {
        simd_load(a, &rows[r][i]);
        simd_load(b, v + i);  // where 1, where 2
        s = simd_vmas(a, b, s);
      }
      out[r] += simd_vextf0(s) + simd_vextf1(s) + simd_vextf2(s) + simd_vextf3(s);
    }
  }
  athread_syn(ARRAY_SCOPE, 0xffff);
  athread_put(PE_MODE, out, t.C + id * 2, sizeof out, (void *)&replies[R_OUT], 0, 0);
  while (replies[R_OUT] == 0) ;
}
