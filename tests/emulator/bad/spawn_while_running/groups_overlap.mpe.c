#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  athread_init();
  athread_spawn_group(0xff00, work, &parameters);  // cause
#ifdef GOOD
  athread_spawn_group(0x00ff, work, &parameters);
#else
  athread_spawn_group(0x01ff, work, &parameters);  // where
#endif
  athread_join_group(0xffff);
}
