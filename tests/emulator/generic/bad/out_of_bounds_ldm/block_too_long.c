#include "core.h"

#ifdef GOOD
static SCRATCHPAD float block[2 * BLOCK];
#else
static SCRATCHPAD float block[BLOCK];
#endif
static SCRATCHPAD scratchpad_counter done;

void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  done = 0;
  scratchpad_get(block, p->x, 2 * BLOCK * sizeof(float), &done);  // where
  scratchpad_wait(&done, 1);
  p->y[id] = block[id];
}
