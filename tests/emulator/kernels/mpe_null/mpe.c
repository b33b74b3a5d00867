#include <string.h>

#include "athread.h"

static volatile int zero;
static float table[16];

void mpe_null(const float *x, float *y) {
  strcpy((char *)(long)zero, (const char *)x);
  y[0] = table[zero];
}
