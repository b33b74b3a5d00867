#include "athread.h"
#include "matmul.h"

extern void SLAVE_FUN(matmul)(void*);

#if M == 1
static float partial[SHARES * PITCH] __attribute__((aligned(128)));
#else
static float* const partial = 0;
#endif

void matmul_athread(const float* A, const float* B, float* C) {
  Parameters parameters = {A, B, C, partial};
  athread_init();
  athread_spawn(matmul, &parameters);
  athread_join();
  athread_halt();
}
