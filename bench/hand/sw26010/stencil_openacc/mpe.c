#include "athread.h"
#include "stencil.h"

extern void SLAVE_FUN(step)(void*);

static float other[STEPS > 1 ? ROWS* COLUMNS : 1] __attribute__((aligned(128)));

/* A directive stands before the loops of a step, so each step is a spawn. */
void stencil_openacc(const float* A, float* B) {
  const float* from = A;
  athread_init();
  for (int n = 0; n < STEPS; ++n) {
    float* to = (STEPS - n) % 2 == 1 ? B : other;
    Parameters parameters = {from, to};
    athread_spawn(step, &parameters);
    athread_join();
    from = to;
  }
  athread_halt();
}
