/* B = A convolved with W: a square image, PADDING zeros around it; RELU: negative results are 0. */
#ifndef CONV_H
#define CONV_H

#if CHANNELS < 1 || SIZE < 1 || FILTERS < 1 || KERNEL < 1 || STRIDE < 1
#error "CHANNELS, SIZE, FILTERS, KERNEL and STRIDE are at least 1"
#endif
#if PADDING < 0 || PADDING >= KERNEL
#error "PADDING is at least 0 and less than KERNEL"
#endif
#if KERNEL > SIZE + 2 * PADDING
#error "KERNEL is at most SIZE + 2 PADDING"
#endif
#if OUT != (SIZE + 2 * PADDING - KERNEL) / STRIDE + 1
#error "OUT is (SIZE + 2 PADDING - KERNEL) / STRIDE + 1, rounded down"
#endif
#if CHANNELS * SIZE * SIZE >> 29 || FILTERS * CHANNELS * KERNEL * KERNEL >> 29 || \
    FILTERS * OUT * OUT >> 29
#error "an array is smaller than 2 GB: CHANNELS, SIZE or FILTERS is too large"
#endif
#if RELU != 0 && RELU != 1
#error "RELU is 0 or 1"
#endif

typedef struct {
  const float* A; /* [CHANNELS][SIZE][SIZE] */
  const float* W; /* [FILTERS][CHANNELS][KERNEL][KERNEL] */
  float* B;       /* [FILTERS][OUT][OUT] */
} Parameters;

#endif
