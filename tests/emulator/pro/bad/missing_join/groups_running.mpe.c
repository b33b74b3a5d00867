#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

static Parameters parameters;

void entry(const float *x, float *y) {
  parameters.x = x;
  parameters.y = y;
  athread_init_cgs();
  athread_spawn_cgs(work, &parameters);  // where
#ifdef GOOD
  athread_join_cgs();
#else
  athread_join();
#endif
}
