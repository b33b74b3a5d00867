/* DMA descriptors of SW26010, as the emulator provides them. */
#ifndef SOLWAY_SW26010_DMA_H
#define SOLWAY_SW26010_DMA_H

#include "slave.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 128 bits as on the machine; the counter is a 32-bit offset here, 16 bits there. */
typedef struct {
  unsigned size : 24, op : 4, mode : 4;
  unsigned bsize : 20, mask : 8, : 4;
  int reply;
  int stride;
} dma_desc __attribute__((aligned(16)));

int __solway_reply_offset(void *reply);
void __solway_dma(int mode, int op, long main_address, long ldm_address, int size, int reply,
                  int mask, int stride, int bsize);

#define SOLWAY_INLINE static inline __attribute__((always_inline, unused))

SOLWAY_INLINE void dma_set_size(dma_desc *d, int size) { d->size = (unsigned)size; }
SOLWAY_INLINE void dma_set_bsize(dma_desc *d, int bsize) { d->bsize = (unsigned)bsize; }
SOLWAY_INLINE void dma_set_stepsize(dma_desc *d, int stride) { d->stride = stride; }
SOLWAY_INLINE void dma_set_op(dma_desc *d, dma_op op) { d->op = op; }
SOLWAY_INLINE void dma_set_mode(dma_desc *d, dma_mode mode) { d->mode = mode; }
SOLWAY_INLINE void dma_set_mask(dma_desc *d, int mask) { d->mask = (unsigned)mask; }

#define dma_set_reply(descriptor, counter) \
  ((descriptor)->reply = __solway_reply_offset((void *)(counter)))

SOLWAY_INLINE void __solway_descriptor_init(dma_desc *d, int reply) {
  d->size = 0;
  d->op = DMA_GET;
  d->mode = PE_MODE;
  d->bsize = 0;
  d->mask = 0;
  d->reply = reply;
  d->stride = 0;
}
#define dma_descriptor_init(descriptor, counter) \
  __solway_descriptor_init(descriptor, __solway_reply_offset((void *)(counter)))

#define dma(d, main_address, ldm_address)                                                      \
  __solway_dma((d).mode, (d).op, (long)(main_address), (long)(ldm_address), (int)(d).size, \
               (d).reply, (int)(d).mask, (d).stride, (int)(d).bsize)

/* Returns when the counter equals `count`. */
void __solway_dma_wait(void *reply, int count);
#define dma_wait(counter, count) __solway_dma_wait((void *)(counter), count)
#define dma_barrier() athread_dma_barrier()

#undef SOLWAY_INLINE

#ifdef __cplusplus
}
#endif

#endif
