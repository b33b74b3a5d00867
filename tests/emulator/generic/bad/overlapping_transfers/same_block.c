#include "core.h"

static SCRATCHPAD float block[BLOCK];
static SCRATCHPAD scratchpad_counter done;

void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  done = 0;
  scratchpad_get(block, p->x, sizeof block, &done);  // cause
#ifdef GOOD
  scratchpad_wait(&done, 1);
#endif
  scratchpad_get(block, p->x + BLOCK, sizeof block, &done);  // where
  scratchpad_wait(&done, 2);
  p->y[id] = block[id];
}
