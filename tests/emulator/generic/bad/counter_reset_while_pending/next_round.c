#include "core.h"

static SCRATCHPAD float a[BLOCK], b[BLOCK];
static SCRATCHPAD scratchpad_counter done;

void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  done = 0;
  scratchpad_get(a, p->x, sizeof a, &done);  // cause
#ifdef GOOD
  scratchpad_wait(&done, 1);
#endif
  done = 0;  // where
  scratchpad_get(b, p->x, sizeof b, &done);
  scratchpad_wait(&done, 1);
  p->y[id] = a[id] + b[id];
}
