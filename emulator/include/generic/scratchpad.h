/* The generic transfer interface for machines with scratchpads, as the emulator provides it:
   docs/generic_dialect.md says what each function does. */
#ifndef SOLWAY_GENERIC_SCRATCHPAD_H
#define SOLWAY_GENERIC_SCRATCHPAD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Before the type of a static variable: each core has its own, in its scratchpad. */
#define SCRATCHPAD __attribute__((section(".ldm")))
/* Before the type of a static variable: there is one, in the scratchpad of all cores. */
#define SCRATCHPAD_SHARED __attribute__((section(".shared_scratchpad")))
/* Before the type of a variable or a member: its address is a multiple of `bytes`. */
#define SCRATCHPAD_ALIGNED(bytes) __attribute__((aligned(bytes)))

/* Counts transfers that are complete; lies in the scratchpad. */
typedef volatile int scratchpad_counter;

/* The managing side. */

int scratchpad_start(void (*function)(void *), void *argument, int cores);
int scratchpad_finish(void);

/* The side of the cores. */

int scratchpad_core(void) __attribute__((const));
int scratchpad_cores(void) __attribute__((const));

void scratchpad_get(void *to, const void *from, size_t bytes, scratchpad_counter *counter);
void scratchpad_put(void *to, const void *from, size_t bytes, scratchpad_counter *counter);
void scratchpad_get_blocks(void *to, const void *from, size_t block_bytes, size_t blocks,
                           size_t pitch_bytes, scratchpad_counter *counter);
void scratchpad_put_blocks(void *to, const void *from, size_t block_bytes, size_t blocks,
                           size_t pitch_bytes, scratchpad_counter *counter);
void scratchpad_get_planes(void *to, const void *from, size_t block_bytes, size_t blocks,
                           size_t pitch_bytes, size_t planes, size_t plane_pitch_bytes,
                           scratchpad_counter *counter);
void scratchpad_put_planes(void *to, const void *from, size_t block_bytes, size_t blocks,
                           size_t pitch_bytes, size_t planes, size_t plane_pitch_bytes,
                           scratchpad_counter *counter);
void scratchpad_wait(scratchpad_counter *counter, int count);

void scratchpad_meet(void);

#ifdef __cplusplus
}
#endif

#endif
