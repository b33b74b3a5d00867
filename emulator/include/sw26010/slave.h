/* CPE side of the athread interface of SW26010, as the emulator provides it. */
#ifndef SOLWAY_SW26010_SLAVE_H
#define SOLWAY_SW26010_SLAVE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* LDM objects: the emulator lays out what stands in these sections. */
#define __thread_local __attribute__((section(".ldm")))
#define __thread_local_fix __attribute__((section(".ldm")))
#define __ldm __attribute__((section(".ldm")))

typedef enum { PE_MODE = 0, BCAST_MODE = 1, ROW_MODE = 2, BROW_MODE = 3, RANK_MODE = 4 } dma_mode;
typedef enum {
  DMA_PUT = 0,
  DMA_GET = 1,
  DMA_PUT_P = 2,
  DMA_GET_P = 3,
  DMA_BARRIER = 5
} dma_op;
typedef enum { ROW_SCOPE = 0, COL_SCOPE = 1, ARRAY_SCOPE = 2 } scope;

int __solway_cpe_id(void) __attribute__((const));
#define _MYID (__solway_cpe_id())
#define _ROW (__solway_cpe_id() >> 3)
#define _COL (__solway_cpe_id() & 7)

/* The thread of a CPE and the CPE of a thread, -1: the caller's; they have the same numbers. */
int athread_get_id(int core);
int athread_get_core(int id);

/* `len`, `stride` (a gap, not a pitch) and `bsize` are in bytes. */
int athread_get(dma_mode mode, void *src, void *dest, int len, void *reply, char mask, int stride,
                int bsize);
int athread_put(dma_mode mode, void *src, void *dest, int len, void *reply, int stride, int bsize);
void athread_dma_barrier(void);
int athread_syn(scope where, int mask);

void *ldm_malloc(size_t size);
void ldm_free(void *address, size_t size);
size_t get_allocatable_size(void);

#define SOLWAY_LATER(what) __attribute__((unavailable(what " is not emulated yet")))

int athread_get_p(dma_mode mode, void *src, void *dest, int len, void *reply, char mask, int stride,
                  int bsize) SOLWAY_LATER("athread_get_p");
int athread_put_p(dma_mode mode, void *src, void *dest, int len, void *reply, int stride, int bsize)
    SOLWAY_LATER("athread_put_p");

#undef SOLWAY_LATER

#ifdef __cplusplus
}
#endif

#endif
