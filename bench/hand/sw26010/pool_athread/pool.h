/* B[c][y][x] = the greatest of A[c][y * STRIDE + i][x * STRIDE + j], i and j below KERNEL. */
#ifndef POOL_H
#define POOL_H

#if KERNEL < 1 || STRIDE < 1 || KERNEL > SIZE
#error "KERNEL, STRIDE: at least 1; KERNEL: at most SIZE"
#endif
#if OUT != (SIZE - KERNEL) / STRIDE + 1
#error "OUT: must be (SIZE - KERNEL) / STRIDE + 1"
#endif
#if CHANNELS < 1 || CHANNELS > 536870911 / (SIZE * SIZE)
#error "CHANNELS, SIZE: A must have from 1 to 536870911 elements"
#endif

typedef struct {
  const float* A; /* [CHANNELS][SIZE][SIZE] */
  float* B;       /* [CHANNELS][OUT][OUT] */
} Parameters;

#endif
