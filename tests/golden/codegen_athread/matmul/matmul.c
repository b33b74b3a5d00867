/* matmul: runs matmul_cpe on the CPEs */
#include <athread.h>

#include "matmul.h"

extern void SLAVE_FUN(matmul_cpe)(void *);

int matmul(const float *A, const float *B, float *C) {
  matmul_args args;
  args.A = A;
  args.B = B;
  args.C = C;
  athread_init();
  if (athread_spawn(matmul_cpe, &args) != 0) return 1;
  return athread_join();
}
