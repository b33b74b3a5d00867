#include <stdlib.h>

#include "athread.h"

static volatile int zero;
static float table[16];

void mpe_freed(const float *x, float *y) {
  float *block = malloc(64);
  block[0] = x[0];
  free(block);
  table[0] = block[zero];
  y[0] = table[zero];
}
