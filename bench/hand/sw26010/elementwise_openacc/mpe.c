#include "athread.h"
#include "elementwise.h"

extern void SLAVE_FUN(elementwise)(void*);

void elementwise_openacc(const float* X, const float* Z, float scale, float* Y) {
  Parameters parameters = {X, Z, Y, scale};
  athread_init();
  athread_spawn(elementwise, &parameters);
  athread_join();
  athread_halt();
}
