/* The first layer of AlexNet: 11 x 11, stride 4, 3 -> 64 channels, 2 zeros around 224 x 224. */
#ifndef CONV_H
#define CONV_H

#define CHANNELS 3
#define SIZE 224
#define FILTERS 64
#define KERNEL 11
#define STRIDE 4
#define PADDING 2
#define OUT 55

typedef struct {
  const float* A; /* [CHANNELS][SIZE][SIZE] */
  const float* W; /* [FILTERS][CHANNELS][KERNEL][KERNEL] */
  float* B;       /* [FILTERS][OUT][OUT] */
} Parameters;

#endif
