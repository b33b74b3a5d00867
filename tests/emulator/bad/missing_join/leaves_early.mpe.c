#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  athread_init();
  athread_enter64();
  athread_spawn64(SLAVE_FUN(work), &parameters);  // cause
#ifdef GOOD
  athread_join64();
#endif
  athread_leave64();  // where
#ifndef GOOD
  athread_join64();
#endif
}
