#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  athread_init();
  athread_spawn(work, &parameters);  // cause
#ifdef GOOD
  athread_join();
#endif
  float sum = 0;
  for (int i = 0; i < 64; ++i) sum += y[i];  // where
#ifndef GOOD
  athread_join();
#endif
  y[100] = sum;
}
