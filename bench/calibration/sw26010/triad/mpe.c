#include <athread.h>

#define ELEMENTS 1048576

struct job {
  double *a, *b, *c;
  long* taken;
};

extern void SLAVE_FUN(work)(struct job*);

/* a = b + 3 c, once; the arrays follow each other from element `first` of `memory`. */
void triad(double* memory, int first, long* taken) {
  double* a = memory + first;
  struct job job = {a, a + ELEMENTS + first, a + 2 * (ELEMENTS + first), taken};
  athread_init();
  athread_spawn(work, &job);
  athread_join();
  athread_halt();
}
