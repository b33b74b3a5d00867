/* MPE side of the athread interface of SW26010, as the emulator provides it. */
#ifndef SOLWAY_SW26010_ATHREAD_H
#define SOLWAY_SW26010_ATHREAD_H

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

#define SOLWAY_LATER(what) __attribute__((unavailable(what " is not emulated yet")))

int __real_athread_create(int id, void *function, void *argument) SOLWAY_LATER("athread_create");
int __real_athread_spawn_group(unsigned long mask, void *function, void *argument)
    SOLWAY_LATER("athread_spawn_group");
int athread_wait(int id) SOLWAY_LATER("athread_wait");
int athread_end(int id) SOLWAY_LATER("athread_end");
int athread_cancel(int id) SOLWAY_LATER("athread_cancel");
int athread_join_group(unsigned long mask) SOLWAY_LATER("athread_join_group");

#define athread_create(id, function, argument) \
  __real_athread_create(id, (void *)slave_##function, argument)
#define athread_spawn_group(mask, function, argument) \
  __real_athread_spawn_group(mask, (void *)slave_##function, argument)

#undef SOLWAY_LATER

#ifdef __cplusplus
}
#endif

#endif
