/* C = A * B, row after row; RELU: negative results are 0. */
#ifndef MATMUL_H
#define MATMUL_H

#if M < 1 || N < 1 || K < 1
#error "M, N and K are at least 1"
#endif
#if M * K >> 29 || K * N >> 29 || M * N >> 29
#error "an array is smaller than 2 GB: M, N or K is too large"
#endif
#if RELU != 0 && RELU != 1
#error "RELU is 0 or 1"
#endif

#define CPES 64

typedef struct {
  const float* A; /* [M][K] */
  const float* B; /* [K][N] */
  float* C;       /* [M][N] */
} Parameters;

#endif
