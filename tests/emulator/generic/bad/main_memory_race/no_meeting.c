#include "core.h"

static SCRATCHPAD float block[BLOCK];
static SCRATCHPAD scratchpad_counter done;

void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  done = 0;
  for (int i = 0; i < BLOCK; ++i) block[i] = (float)id;
  scratchpad_put(p->y + id * BLOCK, block, sizeof block, &done);  // cause
  scratchpad_wait(&done, 1);
#ifdef GOOD
  scratchpad_meet();
#endif
  scratchpad_get(block, p->y + (id + 1) % 4 * BLOCK, sizeof block, &done);  // where
  scratchpad_wait(&done, 2);
  p->y[1024 + id] = block[id];
}
