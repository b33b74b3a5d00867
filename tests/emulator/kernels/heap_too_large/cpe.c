#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

void work(Parameters *p) {
  float *first = ldm_malloc(40000);
  first[0] = p->x[0];
  float *second = ldm_malloc(40000);
  second[0] = first[0];
  p->y[_MYID] = second[0];
}
