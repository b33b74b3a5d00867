#ifndef MATMUL_H
#define MATMUL_H

/* What the MPE tells the CPEs: addresses in main memory */
typedef struct {
  const float *A; /* in float32[1, 256] */
  const float *B; /* in float32[256, 512] */
  float *C; /* out float32[1, 512] */
} matmul_args;

/* Returns 0 when done */
int matmul(const float *A, const float *B, float *C);

#endif
