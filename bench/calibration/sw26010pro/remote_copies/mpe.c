#include "remote_copies.h"
#include <athread.h>

extern void SLAVE_FUN(work)(struct job*);

void remote_copies(struct part* patterns, int count, long* taken) {
  struct job job = {patterns, taken, count};
  athread_init();
  athread_spawn(work, &job);
  athread_join();
  athread_halt();
}
