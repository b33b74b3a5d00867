#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  athread_init();
  athread_spawn(work, &parameters);
#ifdef GOOD
  y[65] = 5;
#else
  y[64] = 5;  // cause
#endif
  athread_join();
}
