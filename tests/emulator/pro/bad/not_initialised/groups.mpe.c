#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
#ifdef GOOD
  athread_init_cgs();
#else
  athread_init();
#endif
  athread_spawn_cgs(work, &parameters);  // where
  athread_join_cgs();
}
