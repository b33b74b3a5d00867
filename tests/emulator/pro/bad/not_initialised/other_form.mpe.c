#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  athread_init();
#ifdef GOOD
  athread_enter64_arg();
#else
  athread_enter64();
#endif
  athread_spawn64_arg(work, &parameters);  // where
  athread_join64_arg();
  athread_leave64_arg();
}
