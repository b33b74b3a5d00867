#include <athread.h>

extern void SLAVE_FUN(work)(long*);

/* Cycles of each CPE, in `taken`, for ROUNDS rounds of three programs: CPE 0 and 1 send each other
 * one vector in turn; every CPE of an even column sends to its right neighbour; the CPEs of column
 * 0 broadcast along their rows. */
void messages(long* taken) {
  athread_init();
  athread_spawn(work, taken);
  athread_join();
  athread_halt();
}
