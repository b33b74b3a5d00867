#include "core.h"

static SCRATCHPAD float block[BLOCK];
static SCRATCHPAD scratchpad_counter done;

void work(void *argument) {
  const Parameters *p = argument;
  done = 0;
  for (int i = 0; i < BLOCK; ++i) block[i] = 1;
  float *const y = p->y + scratchpad_core() * BLOCK;
#ifdef GOOD
  scratchpad_put(y, block, sizeof block, &done);
#else
  scratchpad_put(block, y, sizeof block, &done);  // where
#endif
  scratchpad_wait(&done, 1);
}
