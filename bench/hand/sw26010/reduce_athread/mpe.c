#include "athread.h"
#include "reduce.h"

extern void SLAVE_FUN(reduce)(void*);

static float heads[CPES] __attribute__((aligned(128)));

void reduce_athread(const float* A, float* B) {
  Parameters parameters = {A, B, heads};
  athread_init();
  athread_spawn(reduce, &parameters);
  athread_join();
  athread_halt();
}
