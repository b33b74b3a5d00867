#include "parameters.h"
#include <scratchpad.h>

void work(void *);

int entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  if (scratchpad_start(work, &parameters, 4) != 0) return 1;
  return scratchpad_finish();
}
