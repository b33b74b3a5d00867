#include "athread.h"
#include "stencil.h"

extern void SLAVE_FUN(stencil)(void*);

static float other[PASSES > 1 ? ROWS* COLUMNS : 1] __attribute__((aligned(128)));

void stencil_athread(const float* A, float* B) {
  Parameters parameters = {A, B, other};
  athread_init();
  athread_spawn(stencil, &parameters);
  athread_join();
  athread_halt();
}
