#include "athread.h"
#include "gemm.h"

extern void SLAVE_FUN(gemm)(struct gemm*);

void gemm_registers(const float* A, const float* B, float* C) {
  struct gemm gemm = {A, B, C};
  athread_init();
  athread_spawn(gemm, &gemm);
  athread_join();
  athread_halt();
}
