#include "athread.h"
#include "reduce.h"

extern void SLAVE_FUN(reduce)(void*);

void reduce_openacc(const float* A, float* B) {
  Parameters parameters = {A, B};
  athread_init();
  athread_spawn(reduce, &parameters);
  athread_join();
  athread_halt();
}
