/* MPE side of the athread interface of SW26010-Pro, as the emulator provides it. */
#ifndef SOLWAY_SW26010PRO_ATHREAD_H
#define SOLWAY_SW26010PRO_ATHREAD_H

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

/* Several core groups; athread_init prepares one. */
int athread_init_cgs(void);
int athread_join_cgs(void);
int athread_join_cgmask(int mask);

#ifdef __cplusplus
}
#endif

#endif
