#include "core.h"

static SCRATCHPAD float block[BLOCK];
static SCRATCHPAD scratchpad_counter done;

void work(void *argument) {
  const Parameters *p = argument;
  float *y = p->y + scratchpad_core() * 2 * BLOCK;
  done = 0;
  for (int i = 0; i < BLOCK; ++i) block[i] = (float)i;
  scratchpad_put(y, block, sizeof block, &done);  // cause
#ifdef GOOD
  scratchpad_wait(&done, 1);
#endif
  block[0] = 5;  // where
  scratchpad_put(y + BLOCK, block, sizeof block, &done);
  scratchpad_wait(&done, 2);
}
