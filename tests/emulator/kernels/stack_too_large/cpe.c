#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

__thread_local float block[8 * 1024];

static __attribute__((noinline)) float sum(const float *x) {
  volatile float copy[9 * 1024];
  for (int i = 0; i < 64; ++i) copy[i] = x[i];
  return copy[_MYID];
}

void work(Parameters *p) {
  block[_MYID] = sum(p->x);
  p->y[_MYID] = block[_MYID];
}
