#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

void work(Parameters *p) {
  ((float *)p->x)[_MYID] = 1;
}
