/* CPE side of the athread interface of SW26010-Pro, as the emulator provides it. */
#ifndef SOLWAY_SW26010PRO_SLAVE_H
#define SOLWAY_SW26010PRO_SLAVE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOLWAY_LATER(what) __attribute__((unavailable(what " is not emulated yet")))
#define SOLWAY_INLINE static inline __attribute__((always_inline, unused))

/* LDM objects: the emulator lays out what stands in these sections. */
#define __thread_local __attribute__((section(".ldm")))
#define __thread_local_fix __attribute__((section(".ldm")))
#define __ldm __attribute__((section(".ldm")))
#define __thread_local_share \
  __attribute__((unavailable("LDM that several CPEs share is not emulated yet")))
/* Main memory that the MPE sees under the same name, and main memory past the data cache. */
#define __cross __attribute__((section(".cross")))
#define __uncached

typedef enum {
  PE_MODE = 0,
  ROW_MODE SOLWAY_LATER("ROW_MODE of athread_get; athread_dma_row_ibcast is") = 1,
  COL_MODE SOLWAY_LATER("COL_MODE of athread_get; athread_dma_col_ibcast is") = 2,
  BCAST_MODE SOLWAY_LATER("BCAST_MODE on SW26010-Pro") = 3,
  RANK_MODE SOLWAY_LATER("RANK_MODE on SW26010-Pro") = 4
} dma_mode;
/* The CPEs of a row, of a column, two CPEs. */
typedef enum { ROW_SCOPE = 0, COL_SCOPE = 1, PP_SCOPE = 3 } scope;

int __solway_cpe_id(void) __attribute__((const));
#define _PEN (__solway_cpe_id())
#define _MYID (__solway_cpe_id())
#define _ROW (__solway_cpe_id() >> 3)
#define _COL (__solway_cpe_id() & 7)
int __solway_cpe_group(void) __attribute__((const));
#define _CGN (__solway_cpe_group())

#define athread_tid _PEN
#define athread_rid _ROW
#define athread_cid _COL
#define athread_cgn _CGN
#define athread_get_tid() _PEN
#define athread_get_rid() _ROW
#define athread_get_cid() _COL
#define athread_get_cgn() _CGN

SOLWAY_INLINE int athread_get_id(int core) { return core == -1 ? _PEN : core; }

/* Counters of transfers; each transfer adds 1 to the low half of the long ones. */
typedef volatile long athread_rply_t;
#ifndef __sw_host__
typedef volatile int crts_rply_t;
#endif

void *ldm_malloc(size_t size);
void ldm_free(void *address, size_t size);
size_t get_allocatable_size(void);

unsigned long __solway_cycles(void);
#define athread_stime_cycle() __solway_cycles()

/* The data cache of a CPE is not coherent with others'. The emulator has none. */
SOLWAY_INLINE void flush_slave_cache(void) {}

int __solway_barrier(int scope, int mask);
/* `mask`: of the columns of the row, of the rows of the column; the other CPE of two. */
#define athread_ssync(scope, mask) __solway_barrier(scope, mask)
#define athread_ssync_array() __solway_barrier(2, 0xffff)
#define athread_ssync_row() __solway_barrier(ROW_SCOPE, 0xff)
#define athread_ssync_col() __solway_barrier(COL_SCOPE, 0xff)
/* All CPEs of all core groups that run. */
#define athread_ssync_node() __solway_barrier(4, 0xffff)
#define athread_ssync_peer(id) __solway_barrier(PP_SCOPE, id)

/* A long of main memory, 0 while the lock is open. */
int __solway_lock(void *word);
int __solway_unlock(void *word);
#define athread_lock(word) __solway_lock((void *)(word))
#define athread_unlock(word) __solway_unlock((void *)(word))
/* Adds 1 to a long of main memory at once, and gives what was there. */
long __solway_fetch_add(void *word);
#define _crts_faa_long(word) __solway_fetch_add((void *)(word))

int __solway_mpe_barrier(void) SOLWAY_LATER("a barrier of CPEs and the MPE");
int __solway_shared_ldm(void) SOLWAY_LATER("LDM that several CPEs share");
#define athread_ssync_master_spe() __solway_mpe_barrier()
#define athread_ssync_master_array() __solway_mpe_barrier()
#define athread_ssync_sldm() __solway_shared_ldm()
#define athread_memcpy_sldm(to, source, bytes, direction) __solway_shared_ldm()

#ifdef __cplusplus
}
#endif

#include "solway/dma.h"
#include "solway/rma.h"
#include "solway/reduction.h"

#undef SOLWAY_INLINE
#undef SOLWAY_LATER

#endif
