/* A product of matrices on SW26010-Pro: tiles go along rows and columns by RMA, two buffers in turn. */
#include <crts.h>
#include <slave.h>
#include <simd.h>
#define T 16
typedef struct { const double *A, *B; double *C; int n; } para_t;
__cross para_t *para_cross;
__thread_local double a[2][T*T] __attribute__((aligned(64))), b[2][T*T] __attribute__((aligned(64)));
__thread_local double myA[T*T] __attribute__((aligned(64))), myB[T*T] __attribute__((aligned(64))), c[T*T] __attribute__((aligned(64)));
__thread_local crts_rply_t dma_rply = 0, rma_l[2], rma_a[8], rma_b[8];
__thread_local unsigned int D_COUNT = 0;
static inline void mm(const double *pa, const double *pb, double *pc) {
  for (int i = 0; i < T; ++i) {
    for (int j = 0; j < T; j += 8) {
      doublev8 s, vb;
      simd_load(s, pc + i*T + j);
      for (int k = 0; k < T; ++k) {
        doublev8 va = simd_vcpyfd(pa[i*T+k]);
        simd_load(vb, pb + k*T + j);
        s = simd_vmad(va, vb, s);
      }
      simd_store(s, pc + i*T + j);
    }
  }
}
void summa(void *arg) {
  para_t p;
  int rid = CRTS_rid, cid = CRTS_cid;
  CRTS_dma_get(&p, para_cross, sizeof(para_t));
  int n = p.n;
  CRTS_dma_iget_stride(myA, (void*)(p.A + (rid*T)*n + cid*T), T*T*8, T*8, (n-T)*8, &dma_rply);
  D_COUNT++;
  CRTS_dma_iget_stride(myB, (void*)(p.B + (rid*T)*n + cid*T), T*T*8, T*8, (n-T)*8, &dma_rply);
  D_COUNT++;
  for (int i = 0; i < T*T; ++i) c[i] = 0;
  for (int i = 0; i < 8; ++i) rma_a[i] = rma_b[i] = 0;
  rma_l[0] = rma_l[1] = 0;
  CRTS_dma_wait_value(&dma_rply, D_COUNT);
  athread_ssync_array();
  if (cid == 0) athread_rma_row_ibcast(a[0], myA, T*T*8, &rma_l[0], &rma_a[0]);
  if (rid == 0) athread_rma_col_ibcast(b[0], myB, T*T*8, &rma_l[1], &rma_b[0]);
  for (int k = 0; k < 8; ++k) {
    athread_rma_wait_value(&rma_a[k], 1);
    athread_rma_wait_value(&rma_b[k], 1);
    athread_ssync_array();
    if (cid == k + 1) athread_rma_row_ibcast(a[(k+1)&1], myA, T*T*8, &rma_l[0], &rma_a[k+1]);
    if (rid == k + 1) athread_rma_col_ibcast(b[(k+1)&1], myB, T*T*8, &rma_l[1], &rma_b[k+1]);
    mm(a[k&1], b[k&1], c);
  }
  athread_rma_wait_value(&rma_l[0], 1);
  athread_rma_wait_value(&rma_l[1], 1);
  dma_rply = 0; 
  CRTS_dma_iput_stride(p.C + (rid*T)*n + cid*T, c, T*T*8, T*8, (n-T)*8, &dma_rply);  // where 1
#if FAULT != 1
  CRTS_dma_wait_value(&dma_rply, 1);
#endif
}
