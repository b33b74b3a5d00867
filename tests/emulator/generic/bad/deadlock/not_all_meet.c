#include "core.h"

void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
#ifndef GOOD
  if (id == 0) return;
#endif
  scratchpad_meet();  // where
  p->y[id] = p->x[id];
}
