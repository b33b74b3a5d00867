#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
#ifndef GOOD
  while (1);  // where
#endif
  athread_init();
  athread_spawn(work, &parameters);
  athread_join();
}
