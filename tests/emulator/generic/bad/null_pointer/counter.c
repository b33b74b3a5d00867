#include "core.h"

static SCRATCHPAD float block[BLOCK];
static SCRATCHPAD scratchpad_counter done;

void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  done = 0;
#ifdef GOOD
  scratchpad_counter *const counter = &done;
#else
  scratchpad_counter *const counter = NULL;
#endif
  scratchpad_get(block, p->x, sizeof block, counter);  // where
  scratchpad_wait(&done, 1);
  p->y[id] = block[id];
}
