/* MPE side of the athread interface of SW26010-Pro, as the emulator provides it. */
#ifndef SOLWAY_SW26010PRO_ATHREAD_H
#define SOLWAY_SW26010PRO_ATHREAD_H

/* Programs count on what the machine's header includes. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The CPE object carries every external symbol with this prefix, those that have it once only. */
#define SLAVE_FUN(x) slave_##x

/* `flush`: whether the CPEs' data caches are written back first. The emulator has none. */
int __real_athread_spawn(void *function, void *argument, int flush);
/* The same on all core groups, or on those of a mask: bit g stands for group g. */
int __real_athread_spawn_cgs(void *function, void *argument, int flush);
int __real_athread_spawn_cgmask(int mask, void *function, void *argument, int flush);
#ifdef __cplusplus
#define athread_spawn(function, argument) \
  __real_athread_spawn((void *)function, (void *)argument, 1)
#define athread_spawn_noflush(function, argument) \
  __real_athread_spawn((void *)function, (void *)argument, 0)
#define athread_spawn_cgs(function, argument) \
  __real_athread_spawn_cgs((void *)function, (void *)argument, 1)
#define athread_spawn_cgs_noflush(function, argument) \
  __real_athread_spawn_cgs((void *)function, (void *)argument, 0)
#define athread_spawn_cgmask(mask, function, argument) \
  __real_athread_spawn_cgmask(mask, (void *)function, (void *)argument, 1)
#define athread_spawn_cgmask_noflush(mask, function, argument) \
  __real_athread_spawn_cgmask(mask, (void *)function, (void *)argument, 0)
#else
#define athread_spawn(function, argument) \
  __real_athread_spawn((void *)slave_##function, (void *)argument, 1)
#define athread_spawn_noflush(function, argument) \
  __real_athread_spawn((void *)slave_##function, (void *)argument, 0)
#define athread_spawn_cgs(function, argument) \
  __real_athread_spawn_cgs((void *)slave_##function, (void *)argument, 1)
#define athread_spawn_cgs_noflush(function, argument) \
  __real_athread_spawn_cgs((void *)slave_##function, (void *)argument, 0)
#define athread_spawn_cgmask(mask, function, argument) \
  __real_athread_spawn_cgmask(mask, (void *)slave_##function, (void *)argument, 1)
#define athread_spawn_cgmask_noflush(mask, function, argument) \
  __real_athread_spawn_cgmask(mask, (void *)slave_##function, (void *)argument, 0)
#endif

/* Between enter and leave the CPEs wait for work, and spawns are fast. All CPEs run. */
int athread_enter64(void);
int athread_join64(void);
int athread_leave64(void);
int athread_enter64_arg(void);
int athread_join64_arg(void);
int athread_leave64_arg(void);
int __solway_spawn64(void *function, void *argument);
int __real_athread_spawn64_arg(void *function, void *argument);
#define __real_athread_spawn64(function) __solway_spawn64(function, (void *)0)
#ifdef __cplusplus
#define athread_spawn64(function) __solway_spawn64((void *)function, (void *)0)
#define athread_spawn64_arg(function, argument) \
  __real_athread_spawn64_arg((void *)function, (void *)argument)
#else
#define athread_spawn64(function) __solway_spawn64((void *)slave_##function, (void *)0)
#define athread_spawn64_arg(function, argument) \
  __real_athread_spawn64_arg((void *)slave_##function, (void *)argument)
#endif

/* Other names for starting several core groups. */
#define SOLWAY_LATER(what) \
  __attribute__((unavailable(what " is not emulated yet; athread_spawn_cgs is")))
int __real_athread_spawn_all(void *function, void *argument, int flush)
    SOLWAY_LATER("athread_spawn_all");
int __real_athread_spawn64_cgs(void *function) SOLWAY_LATER("athread_spawn64_cgs");
int __real_athread_spawn64_cgmask(int mask, void *function, void *argument)
    SOLWAY_LATER("athread_spawn64_cgmask");
#undef SOLWAY_LATER
#define athread_spawn_all(function, argument) __real_athread_spawn_all(0, argument, 1)
#define athread_spawn_all_noflush(function, argument) __real_athread_spawn_all(0, argument, 0)
#define athread_spawn64_cgs(function) __real_athread_spawn64_cgs(0)
#define athread_spawn64_cgmask(mask, function, argument) \
  __real_athread_spawn64_cgmask(mask, 0, argument)

int athread_init(void);
int athread_join(void);
/* The CPEs can be used again after it. */
#define athread_halt() ((void)0)
int athread_get_max_threads(void);
int athread_set_num_threads(int count);
int athread_get_num_threads(void);
/* The CPEs that are available, as a mask; 0 while any of them runs, and before athread_init. */
unsigned long athread_idle(void);
#define CRTS_init athread_init

unsigned long __solway_cycles(void);
#define athread_time_cycle() __solway_cycles()

/* Main memory that all core groups see, as all of it is here. */
#define _sw_xmalloc(size) malloc(size)
#define _sw_xfree(block) free(block)

/* Several core groups; athread_init prepares one. */
int athread_init_cgs(void);
int athread_join_cgs(void);
int athread_join_cgmask(int mask);

#ifdef __cplusplus
}
#endif

#endif
