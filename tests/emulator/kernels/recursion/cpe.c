#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

static __attribute__((noinline)) float deep(const float *x, int n) {
  volatile float copy[64];
  copy[n % 64] = x[0];
  return n > 5000 ? 0 : deep(x, n + 1) + copy[n % 64];
}

void work(Parameters *p) {
  p->y[_MYID] = deep(p->x, 0);
}
