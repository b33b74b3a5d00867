#include "athread.h"
#include "transpose.h"

extern void SLAVE_FUN(transpose)(void*);

void transpose_openacc(const float* A, float* B) {
  Parameters parameters = {A, B};
  athread_init();
  athread_spawn(transpose, &parameters);
  athread_join();
  athread_halt();
}
