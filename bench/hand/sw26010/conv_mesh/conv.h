/* B = A convolved with W, and max(0, B) where RELU is 1: one image, zeros around it, float32. */
#ifndef CONV_H
#define CONV_H

#if SIZE + 2 * PADDING < KERNEL
#error "KERNEL is larger than the image with its zeros"
#endif
#if KERNEL < 1 || KERNEL > 11
#error "KERNEL is not 1 to 11"
#endif
#if STRIDE < 1 || STRIDE > 4
#error "STRIDE is not 1 to 4"
#endif
#if PADDING < 0 || PADDING >= KERNEL
#error "PADDING is not 0 to KERNEL - 1"
#endif
#if OUT != (SIZE + 2 * PADDING - KERNEL) / STRIDE + 1
#error "OUT is not (SIZE + 2 PADDING - KERNEL) / STRIDE + 1"
#endif
#if RELU != 0 && RELU != 1
#error "RELU is not 0 or 1"
#endif

struct conv {
  const float* A; /* [CHANNELS][SIZE][SIZE] */
  const float* W; /* [KERNEL][KERNEL][CHANNELS][FILTERS] */
  float* B;       /* [FILTERS][OUT][OUT] */
};

#endif
