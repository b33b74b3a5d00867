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
#if STRIDE > 1024
#error "STRIDE is at most 1024"
#endif
#if CHANNELS * SIZE * SIZE >> 29 || FILTERS * CHANNELS * KERNEL * KERNEL >> 29 || \
    FILTERS * OUT * OUT >> 29
#error "an array is smaller than 2 GB: CHANNELS, SIZE or FILTERS is too large"
#endif
#if RELU != 0 && RELU != 1
#error "RELU is 0 or 1"
#endif

#define CPES 64
#define TAPS (KERNEL * KERNEL)
#define PIXELS 7   /* neighbours in a block of sums */
#define GROUP 8    /* channels of the result in a block of sums */
#define STAGED 128 /* floats of a channel of the result in one transfer, if rows are shorter */
#define LDM_FLOATS 15872

/* The smallest tile: 8 channels of a row in 8 parts, and one channel of the image. */
#define LEAST_COLUMNS ((OUT + 7) / 8)
#define LEAST_WIDTH ((LEAST_COLUMNS + PIXELS - 1) / PIXELS * PIXELS)
#define LEAST_PITCH ((LEAST_WIDTH - 1) * STRIDE + KERNEL + 3)
#if GROUP * LEAST_WIDTH + 2 * GROUP * LEAST_COLUMNS + 2 * KERNEL * LEAST_PITCH + \
        (2 * GROUP + 1) * TAPS >                                                 \
    LDM_FLOATS
#error "OUT, KERNEL or STRIDE is so large that not even the smallest tile fits into the LDM"
#endif

/* What a tile of the result is, and where its parts lie in the LDM, in floats. */
typedef struct {
  int filters, rows, columns; /* of the result */
  int channels;               /* of the image, that are in the LDM at once */
  int row_tiles, column_tiles, tasks;
  int width;                       /* columns, made up to whole blocks */
  int in_rows, in_pitch;           /* of the image in the LDM */
  int landed_rows, landed_columns; /* at most */
  int stage_rows;                  /* of the result in one transfer */
  int stage, image, weights, landed_weights, steps, landed_image;
} Plan;

typedef struct {
  const float* A; /* [CHANNELS][SIZE][SIZE] */
  const float* W; /* [FILTERS][CHANNELS][KERNEL][KERNEL] */
  float* B;       /* [FILTERS][OUT][OUT] */
  Plan plan;
} Parameters;

#endif
