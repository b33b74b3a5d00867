/* Transfers between LDM and main memory. Included by slave.h.

   Lengths, blocks and strides (gaps, not pitches) are in bytes. Names with an i return at once and
   count in `reply`; the others return when the data are there. A wait ends when the counter has
   reached the value, or passed it. */
#ifndef SOLWAY_SW26010PRO_DMA_H
#define SOLWAY_SW26010PRO_DMA_H

#ifdef __cplusplus
extern "C" {
#endif

int athread_get(dma_mode mode, void *src, void *dest, int len, void *reply, char mask, int stride,
                int bsize);
int athread_put(dma_mode mode, void *src, void *dest, int len, void *reply, int stride, int bsize);
void athread_dma_barrier(void);

/* Counters of what does not return at once. */
static __thread_local volatile int __crts_rply __attribute__((unused));
static __thread_local volatile int __crts_rma_rply __attribute__((unused));

#define athread_dma_wait_value(reply, value)                \
  __extension__({                                           \
    while (*(volatile int *)(void *)(reply) < (int)(value)) \
      ;                                                     \
    0;                                                      \
  })
#define __solway_done(request)                 \
  __extension__({                              \
    __crts_rply = 0;                           \
    (request);                                 \
    athread_dma_wait_value(&__crts_rply, 1);   \
  })

#define athread_dma_iget_stride(dest, src, len, bsize, stride, reply) \
  athread_get(PE_MODE, (void *)(src), (void *)(dest), len, (void *)(reply), 0, stride, bsize)
#define athread_dma_iput_stride(dest, src, len, bsize, stride, reply) \
  athread_put(PE_MODE, (void *)(src), (void *)(dest), len, (void *)(reply), stride, bsize)
#define athread_dma_iget(dest, src, len, reply) \
  athread_dma_iget_stride(dest, src, len, 0, 0, reply)
#define athread_dma_iput(dest, src, len, reply) \
  athread_dma_iput_stride(dest, src, len, 0, 0, reply)
#define athread_dma_get_stride(dest, src, len, bsize, stride) \
  __solway_done(athread_dma_iget_stride(dest, src, len, bsize, stride, &__crts_rply))
#define athread_dma_put_stride(dest, src, len, bsize, stride) \
  __solway_done(athread_dma_iput_stride(dest, src, len, bsize, stride, &__crts_rply))
#define athread_dma_get(dest, src, len) athread_dma_get_stride(dest, src, len, 0, 0)
#define athread_dma_put(dest, src, len) athread_dma_put_stride(dest, src, len, 0, 0)

/* One CPE gets, and RMA hands on. The machine's header does the same, but for columns, which one
   request serves there. */
#define __solway_dma_ibcast(get, rma) \
  __extension__({                     \
    (get);                            \
    (rma);                            \
  })
#define athread_dma_ibcast_stride(dest, src, len, bsize, stride, reply)        \
  __solway_dma_ibcast(athread_dma_get_stride(dest, src, len, bsize, stride),   \
                      athread_rma_ibcast(dest, dest, 0, len, reply))
#define athread_dma_row_ibcast_stride(dest, src, len, bsize, stride, reply)    \
  __solway_dma_ibcast(athread_dma_get_stride(dest, src, len, bsize, stride),   \
                      athread_rma_row_ibcast(dest, dest, len, 0, reply))
#define athread_dma_col_ibcast_stride(dest, src, len, bsize, stride, reply)    \
  __solway_dma_ibcast(athread_dma_get_stride(dest, src, len, bsize, stride),   \
                      athread_rma_col_ibcast(dest, dest, len, 0, reply))
#define athread_dma_ibcast(dest, src, len, reply) \
  athread_dma_ibcast_stride(dest, src, len, 0, 0, reply)
#define athread_dma_row_ibcast(dest, src, len, reply) \
  athread_dma_row_ibcast_stride(dest, src, len, 0, 0, reply)
#define athread_dma_col_ibcast(dest, src, len, reply) \
  athread_dma_col_ibcast_stride(dest, src, len, 0, 0, reply)

/* All CPEs that take part call these; the first of them gets. */
#define __solway_coll(sync, is_root, request)      \
  __extension__({                                  \
    __crts_rma_rply = 0;                           \
    sync();                                        \
    if (is_root) (void)(request);                  \
    athread_dma_wait_value(&__crts_rma_rply, 1);   \
    sync();                                        \
    0;                                             \
  })
#define athread_dma_bcast_stride_coll(dest, src, len, bsize, stride) \
  __solway_coll(athread_ssync_array, _PEN == 0,                      \
                athread_dma_ibcast_stride(dest, src, len, bsize, stride, &__crts_rma_rply))
#define athread_dma_row_bcast_stride_coll(dest, src, len, bsize, stride) \
  __solway_coll(athread_ssync_row, _COL == 0,                            \
                athread_dma_row_ibcast_stride(dest, src, len, bsize, stride, &__crts_rma_rply))
#define athread_dma_col_bcast_stride_coll(dest, src, len, bsize, stride) \
  __solway_coll(athread_ssync_col, _ROW == 0,                            \
                athread_dma_col_ibcast_stride(dest, src, len, bsize, stride, &__crts_rma_rply))
#define athread_dma_bcast_coll(dest, src, len) athread_dma_bcast_stride_coll(dest, src, len, 0, 0)
#define athread_dma_row_bcast_coll(dest, src, len) \
  athread_dma_row_bcast_stride_coll(dest, src, len, 0, 0)
#define athread_dma_col_bcast_coll(dest, src, len) \
  athread_dma_col_bcast_stride_coll(dest, src, len, 0, 0)

#ifdef __cplusplus
}
#endif

#endif
