#ifndef ROWS_H
#define ROWS_H

#include <scratchpad.h>

/* int64 is written as long: no program has this array where that is too short. */
extern char solway_long_has_64_bits[sizeof(long) == 8 ? 1 : -1];

/* What the managing side tells the cores: addresses in main memory */
typedef struct {
  SCRATCHPAD_ALIGNED(8) const float *A; /* in float32[32, 64] */
  const float *B; /* in float32[8, 5] */
  float *C; /* out float32[32, 16] */
  char fill[64]; /* no transfer is smaller */
} rows_args;

/* Returns 0 when done */
int rows(const float *A, const float *B, float *C);

#endif
