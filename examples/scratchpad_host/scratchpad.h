/* The generic transfer interface (docs/generic_dialect.md) on any host with POSIX threads: an
   example to port. Each core is a thread, its scratchpad is memory of the thread, and a transfer
   is complete when the call returns. */
#ifndef SCRATCHPAD_HOST_SCRATCHPAD_H
#define SCRATCHPAD_HOST_SCRATCHPAD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Words of the compiler that a port replaces: where a variable lies, one for each core or one for
   all of them, and its alignment. */
#define SCRATCHPAD __thread
#define SCRATCHPAD_SHARED
#define SCRATCHPAD_ALIGNED(bytes) __attribute__((aligned(bytes)))

/* Counts transfers that are complete; lies in the scratchpad. */
typedef volatile int scratchpad_counter;

/* The managing side: starts `function` with `argument` on cores 0 to cores - 1, 0 when it did;
   waits until all have returned, 0 when they did. */
int scratchpad_start(void (*function)(void*), void* argument, int cores);
int scratchpad_finish(void);

/* The side of the cores: the number of this one, and how many were started. */
int scratchpad_core(void);
int scratchpad_cores(void);

/* Contiguous bytes into the scratchpad, and out of it. */
void scratchpad_get(void* to, const void* from, size_t bytes, scratchpad_counter* counter);
void scratchpad_put(void* to, const void* from, size_t bytes, scratchpad_counter* counter);

/* Blocks that begin every `pitch_bytes` in main memory and follow each other in the scratchpad. */
void scratchpad_get_blocks(void* to, const void* from, size_t block_bytes, size_t blocks,
                           size_t pitch_bytes, scratchpad_counter* counter);
void scratchpad_put_blocks(void* to, const void* from, size_t block_bytes, size_t blocks,
                           size_t pitch_bytes, scratchpad_counter* counter);

/* Planes of such blocks, which begin every `plane_pitch_bytes` in main memory and follow each other
   in the scratchpad. A machine whose engine has fewer than three ranks needs neither. */
void scratchpad_get_planes(void* to, const void* from, size_t block_bytes, size_t blocks,
                           size_t pitch_bytes, size_t planes, size_t plane_pitch_bytes,
                           scratchpad_counter* counter);
void scratchpad_put_planes(void* to, const void* from, size_t block_bytes, size_t blocks,
                           size_t pitch_bytes, size_t planes, size_t plane_pitch_bytes,
                           scratchpad_counter* counter);

/* Returns when `count` transfers have been counted. */
void scratchpad_wait(scratchpad_counter* counter, int count);

/* Returns when all cores that were started have called it. */
void scratchpad_meet(void);

#ifdef __cplusplus
}
#endif

#endif
