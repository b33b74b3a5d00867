/* y = W x, and max(0, y) where RELU is 1, in float32: a fully connected layer for one image. */
#ifndef FC_H
#define FC_H

#define CEIL(a, b) (((a) + (b)-1) / (b))

/* Floats of a row of W that a CPE has, in 128 bytes each, and rows that a row of the mesh has. */
#define PART (32 * CEIL(INPUTS, 256))
#define ROWS (4 * CEIL(OUTPUTS, 32))

#if PART > 4096
#error "INPUTS is larger than 32768: an eighth of x and two of a row of W do not fit into the LDM"
#endif
#if ROWS > 3072
#error "OUTPUTS is larger than 24576: an eighth of y does not fit into the LDM"
#endif
#if RELU != 0 && RELU != 1
#error "RELU is not 0 or 1"
#endif

struct fc {
  const float* W; /* [OUTPUTS][INPUTS] */
  const float* x; /* [INPUTS] */
  float* y;       /* [OUTPUTS] */
};

#endif
