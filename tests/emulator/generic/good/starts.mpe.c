#include "parameters.h"
#include <scratchpad.h>

void work(void *);

/* A name that the cores have too. */
static int calls;

int entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  for (int cores = 8; cores > 0; cores /= 2) {
    if (scratchpad_start(work, &parameters, cores) != 0) return 1;
    if (scratchpad_finish() != 0) return 2;
    ++calls;
  }
  return calls == 4 && y[0] == 1 + 2 * (8 + 4 + 2 + 1) ? 0 : 3;
}
