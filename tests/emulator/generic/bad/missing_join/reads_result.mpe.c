#include "parameters.h"
#include <scratchpad.h>

void work(void *);

int entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  if (scratchpad_start(work, &parameters, 4) != 0) return 1;  // cause
#ifdef GOOD
  if (scratchpad_finish() != 0) return 2;
#endif
  const float sum = y[0] + y[3];  // where
#ifndef GOOD
  if (scratchpad_finish() != 0) return 2;
#endif
  y[100] = sum;
  return 0;
}
