/* MPE side of the athread interface of SW26010-Pro, as the emulator provides it: one core group. */
#ifndef SOLWAY_SW26010PRO_ATHREAD_H
#define SOLWAY_SW26010PRO_ATHREAD_H

#ifdef __cplusplus
extern "C" {
#endif

/* The CPE object carries every external symbol with this prefix, those that have it once only. */
#define SLAVE_FUN(x) slave_##x

/* `flush`: whether the CPEs' data caches are written back first. The emulator has none. */
int __real_athread_spawn(void *function, void *argument, int flush);
#ifdef __cplusplus
#define athread_spawn(function, argument) \
  __real_athread_spawn((void *)function, (void *)argument, 1)
#define athread_spawn_noflush(function, argument) \
  __real_athread_spawn((void *)function, (void *)argument, 0)
#else
#define athread_spawn(function, argument) \
  __real_athread_spawn((void *)slave_##function, (void *)argument, 1)
#define athread_spawn_noflush(function, argument) \
  __real_athread_spawn((void *)slave_##function, (void *)argument, 0)
#endif

int athread_init(void);
int athread_join(void);
/* The CPEs can be used again after it. */
#define athread_halt() ((void)0)
int athread_get_max_threads(void);
int athread_set_num_threads(int count);
int athread_get_num_threads(void);
#define CRTS_init athread_init

unsigned long __solway_cycles(void);
#define athread_time_cycle() __solway_cycles()

#define SOLWAY_LATER(what) __attribute__((unavailable(what " is not emulated yet")))
int __solway_all_groups(void) SOLWAY_LATER("a program for several core groups");
#define athread_init_cgs() __solway_all_groups()
#define athread_spawn_cgs(function, argument) __solway_all_groups()
#define athread_join_cgs() __solway_all_groups()
#undef SOLWAY_LATER

#ifdef __cplusplus
}
#endif

#endif
