#include <stdlib.h>

#include "athread.h"

static volatile int zero;
static float table[16];

void mpe_abort(const float *x, float *y) {
  abort();
  y[0] = table[zero];
}
