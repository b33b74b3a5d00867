#include "athread.h"

typedef struct {
  float alpha;
  const float *x;
  float *y;
} Parameters;

extern void SLAVE_FUN(work)(void *);

void saxpy(float alpha, const float *x, float *y) {
  Parameters parameters = {alpha, x, y};
  athread_init();
  athread_spawn(work, &parameters);
  athread_join();
  athread_halt();
}
