#include "core.h"

static SCRATCHPAD float kept;

/* Nothing in a scratchpad lasts from one start to the next. */
void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  if (p->y[id] == 1) {
    kept = p->x[id];
    p->y[id] = 2;
    return;
  }
#ifdef GOOD
  kept = p->x[id];
#endif
  p->y[id] = kept + 1;  // where
}
