#include "athread.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

extern void SLAVE_FUN(work)(void *);

void unknown_mpe_assembly(const float *x, float *y) {
  Parameters parameters = {x, y};
  athread_init();
  athread_spawn(work, &parameters);
  athread_join();
  asm volatile("halt");
}
