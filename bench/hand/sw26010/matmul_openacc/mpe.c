#include "athread.h"
#include "matmul.h"

extern void SLAVE_FUN(matmul)(void*);

void matmul_openacc(const float* A, const float* B, float* C) {
  Parameters parameters = {A, B, C};
  athread_init();
  athread_spawn(matmul, &parameters);
  athread_join();
  athread_halt();
}
