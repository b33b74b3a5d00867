/* MPE side of a stand-in for athread: each CPE is a thread of the host, transfers happen at once. */
#ifndef FAKE_ATHREAD_H
#define FAKE_ATHREAD_H

#define SLAVE_FUN(x) slave_##x
#define athread_spawn(function, argument) fake_spawn(slave_##function, argument)

int athread_init(void);
int athread_join(void);
int fake_spawn(void (*function)(void *), void *argument);

#endif
