#include <athread.h>

extern void SLAVE_FUN(work)(void*);

struct job {
  char* memory;
  int bytes; /* of each get */
  int gets;
};

static unsigned long cycles(void) {
  unsigned long now;
  asm volatile("rtc %0" : "=r"(now));
  return now;
}

/* Cycles, in `taken`, of ten times starting all CPEs and waiting for their end: each of them gets
 * nothing, then 20 times as many bytes as `sizes` says. */
void launches(char* memory, int* sizes, long* taken) {
  athread_init();
  for (int k = 0; k < 4; ++k) {
    struct job job = {memory, sizes[k], sizes[k] == 0 ? 0 : 20};
    unsigned long begin = cycles();
    for (int n = 0; n < 10; ++n) {
      athread_spawn(work, &job);
      athread_join();
    }
    taken[k] = cycles() - begin;
  }
  athread_halt();
}
