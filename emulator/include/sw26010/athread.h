/* MPE side of the athread interface of SW26010, as the emulator provides it. */
#ifndef SOLWAY_SW26010_ATHREAD_H
#define SOLWAY_SW26010_ATHREAD_H

/* Programs count on what the machine's header includes. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A thread of the MPE for each core group that a program uses. */
#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The CPE object carries every external symbol with this prefix. */
#define SLAVE_FUN(x) slave_##x

#define athread_spawn(function, argument) __real_athread_spawn((void *)slave_##function, argument)

int athread_init(void);
int __real_athread_spawn(void *function, void *argument);
int athread_join(void);
int athread_halt(void);
int athread_get_max_threads(void);
int athread_set_num_threads(int count);
int athread_get_num_threads(void);

/* Groups: bit i of the mask stands for CPE i. Several run beside each other, on CPEs of their own. */
int __real_athread_spawn_group(unsigned long mask, void *function, void *argument);
int athread_join_group(unsigned long mask);
#define athread_spawn_group(mask, function, argument) \
  __real_athread_spawn_group(mask, (void *)slave_##function, argument)

/* Single threads; thread i runs on CPE i. athread_end closes the CPE for the rest of the program. */
int __real_athread_create(int id, void *function, void *argument);
int athread_wait(int id);
int athread_end(int id);
int athread_cancel(int id) __attribute__((unavailable("athread_cancel is not emulated yet")));
#define athread_create(id, function, argument) \
  __real_athread_create(id, (void *)slave_##function, argument)

/* Between enter and leave the CPEs wait for work, and spawns are fast. `function` is what
   SLAVE_FUN gives: athread_spawn64 writes no prefix. All CPEs run. */
int athread_enter64(void);
int athread_join64(void);
int athread_leave64(void);
int __solway_spawn64(void *function, void *argument);
#define athread_spawn64(function, argument) __solway_spawn64((void *)function, (void *)argument)

/* A CPE's LDM as the MPE sees it. */
void *__solway_ldm_of(int cpe, int group)
    __attribute__((unavailable("the MPE's view of an LDM (h2ldm, IO_addr) is not emulated yet")));
#define h2ldm(element, cpe, group) (*(__typeof__(element) *)__solway_ldm_of(cpe, group))
#define IO_addr(element, cpe, group) ((unsigned long)__solway_ldm_of(cpe, group))

/* The CPEs that are available, as a mask; 0 while any of them runs, and before athread_init. */
unsigned long athread_idle(void);

#ifdef __cplusplus
}
#endif

#endif
