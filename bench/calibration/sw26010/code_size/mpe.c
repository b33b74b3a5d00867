#include <athread.h>

extern void SLAVE_FUN(work)(long*);

/* Cycles of a CPE, in `taken`, for ROUNDS rounds of each loop of cpe.c. */
void code_size(long* taken) {
  athread_init();
  athread_spawn(work, taken);
  athread_join();
  athread_halt();
}
