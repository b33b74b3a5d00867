#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  athread_init();
  athread_spawn_group(0x00ff, work, &parameters);
  athread_spawn_group(0xff00, work, &parameters);
  athread_join();
}
