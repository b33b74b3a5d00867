#include "parameters.h"
#include <scratchpad.h>

void work(void *);

int entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  scratchpad_start(work, &parameters, 2);  // cause
#ifdef GOOD
  scratchpad_finish();
#endif
  scratchpad_start(work, &parameters, 4);  // where
  return scratchpad_finish();
}
