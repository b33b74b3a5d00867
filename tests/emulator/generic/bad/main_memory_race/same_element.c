#include "core.h"

void work(void *argument) {
  const Parameters *p = argument;
#ifdef GOOD
  p->y[scratchpad_core()] = p->x[0];
#else
  p->y[0] = p->x[0];  // where
#endif
}
