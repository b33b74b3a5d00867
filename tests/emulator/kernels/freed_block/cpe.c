#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

void work(Parameters *p) {
  float *block = ldm_malloc(256);
  block[0] = p->x[0];
  ldm_free(block, 256);
  p->y[_MYID] = block[0];
}
