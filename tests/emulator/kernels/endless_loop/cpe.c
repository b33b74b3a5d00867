#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

__thread_local volatile int spins;

void work(Parameters *p) {
  while (p->y != 0)
    spins = spins + 1;
}
