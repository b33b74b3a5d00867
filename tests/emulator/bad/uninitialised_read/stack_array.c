#include "cpe.h"

void work(Parameters *p) {
  float history[16];
  int n = _MYID % 8 + 1;
  for (int i = 0; i < n; ++i) history[i] = p->x[i];
#ifndef GOOD
  n += 2;
#endif
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += history[i];  // where
  p->y[_MYID] = sum;
}
