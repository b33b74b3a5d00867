#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  athread_init();
  athread_set_num_threads(4);
  athread_spawn(work, &parameters);
  athread_join();
}
