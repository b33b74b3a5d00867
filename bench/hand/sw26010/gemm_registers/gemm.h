/* C = A B in float32, row after row: M x K times K x N, in tiles that the 64 CPEs have together. */
#ifndef GEMM_H
#define GEMM_H

struct gemm {
  const float* A;
  const float* B;
  float* C;
};

#endif
