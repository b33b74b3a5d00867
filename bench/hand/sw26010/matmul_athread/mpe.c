#include "athread.h"
#include "matmul.h"

extern void SLAVE_FUN(matmul)(void*);

static float partial[MESH * N] __attribute__((aligned(128)));

void matmul_athread(const float* A, const float* B, float* C) {
  Parameters parameters = {A, B, C, partial};
  athread_init();
  athread_spawn(matmul, &parameters);
  athread_join();
  athread_halt();
}
