#include <stdlib.h>

#include "athread.h"

static volatile int zero;
static float table[16];

void mpe_exit(const float *x, float *y) {
  exit(3);
  y[0] = table[zero];
}
