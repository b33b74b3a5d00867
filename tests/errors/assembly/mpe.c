#include "athread.h"

extern void SLAVE_FUN(work)(void *);

void assembly(void) {
  athread_init();
  athread_spawn(work, 0);
  athread_join();
}
