#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  athread_init();
  athread_create(5, work, &parameters);
  athread_wait(5);
#ifndef GOOD
  athread_end(5);
#endif
  athread_spawn(work, &parameters);  // where
  athread_join();
}
