#include <athread.h>

extern void SLAVE_FUN(work)(void*);

/* Cycles of each CPE, in `taken`, for plain loads and stores of main memory: of CPE 0 alone, then
 * of all CPEs. `words` is what they go to. */
struct job {
  long* words;
  long* taken;
};

void main_memory(long* words, long* taken) {
  struct job job = {words, taken};
  athread_init();
  athread_set_num_threads(1);
  athread_spawn(work, &job);
  athread_join();
  job.taken = taken + 2 * 64;
  athread_set_num_threads(64);
  athread_spawn(work, &job);
  athread_join();
  athread_halt();
}
