#include "core.h"

void work(void *argument) {
  const Parameters *p = argument;
  p->y[scratchpad_core()] = p->x[0] + 1;
}
