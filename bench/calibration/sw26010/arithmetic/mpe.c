#include <athread.h>

extern void SLAVE_FUN(work)(long*);

/* Cycles of one CPE, in `taken`, for STEPS steps of the loops of cpe.c. */
void arithmetic(long* taken) {
  athread_init();
  athread_set_num_threads(1);
  athread_spawn(work, taken);
  athread_join();
  athread_halt();
}
