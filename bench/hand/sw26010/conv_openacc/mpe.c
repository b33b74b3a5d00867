#include "athread.h"
#include "conv.h"

extern void SLAVE_FUN(conv)(void*);

void conv_openacc(const float* A, const float* W, float* B) {
  Parameters parameters = {A, W, B};
  athread_init();
  athread_spawn(conv, &parameters);
  athread_join();
  athread_halt();
}
