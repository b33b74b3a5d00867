#include "athread.h"
#include "softmax.h"

extern void SLAVE_FUN(softmax)(void*);

void softmax_openacc(const float* X, float* Y) {
  Parameters parameters = {X, Y};
  athread_init();
  athread_spawn(softmax, &parameters);
  athread_join();
  athread_halt();
}
