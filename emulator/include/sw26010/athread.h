/* MPE side of the athread interface of SW26010, as the emulator provides it. */
#ifndef SOLWAY_SW26010_ATHREAD_H
#define SOLWAY_SW26010_ATHREAD_H

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
int athread_cancel(int id) __attribute__((unavailable("athread_cancel is not emulated")));
#define athread_create(id, function, argument) \
  __real_athread_create(id, (void *)slave_##function, argument)

/* The CPEs that are available, as a mask; 0 while any of them runs. */
unsigned long athread_idle(void);

#ifdef __cplusplus
}
#endif

#endif
