#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  athread_init_cgs();
  athread_spawn_cgs(work, &parameters);
  athread_join_cgs();
}
