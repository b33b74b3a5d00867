#include "core.h"

static SCRATCHPAD scratchpad_counter done;

void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
#ifdef GOOD
  static SCRATCHPAD float block[BLOCK];
#else
  float block[BLOCK];
#endif
  done = 0;
  scratchpad_get(block, p->x, sizeof block, &done);  // where
  scratchpad_wait(&done, 1);
  p->y[id] = block[id];
}
