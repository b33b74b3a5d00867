#include "transfers.h"
#include <athread.h>

extern void SLAVE_FUN(work)(struct job*);

void transfers(char* memory, struct pattern* patterns, int count, long* taken) {
  struct job job = {memory, patterns, taken, count};
  athread_init();
  athread_spawn(work, &job);
  athread_join();
  athread_halt();
}
