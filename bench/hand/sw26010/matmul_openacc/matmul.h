/* C = A * B with one row in A: the product of Figure 2 of the swTVM paper. */
#ifndef MATMUL_H
#define MATMUL_H

#define K 1024
#define N 1024
#define CPES 64

typedef struct {
  const float* A; /* [K] */
  const float* B; /* [K][N] */
  float* C;       /* [N] */
} Parameters;

#endif
