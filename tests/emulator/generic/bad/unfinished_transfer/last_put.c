#include "core.h"

static SCRATCHPAD float block[BLOCK];
static SCRATCHPAD scratchpad_counter done;

void work(void *argument) {
  const Parameters *p = argument;
  done = 0;
  for (int i = 0; i < BLOCK; ++i) block[i] = 1;
  scratchpad_put(p->y + scratchpad_core() * BLOCK, block, sizeof block, &done);  // where
#ifdef GOOD
  scratchpad_wait(&done, 1);
#endif
}
