#include "core.h"

static SCRATCHPAD_SHARED float all[BLOCK];
static SCRATCHPAD_SHARED float next[BLOCK];
static SCRATCHPAD scratchpad_counter done;

/* Blocks follow each other there, too. */
void work(void *argument) {
  const Parameters *p = argument;
  if (scratchpad_core() != 0) return;
  done = 0;
  next[0] = 0;
#ifdef GOOD
  scratchpad_get_blocks(all, p->x, 16 * sizeof(float), 4, 256, &done);
#else
  scratchpad_get_blocks(all, p->x, 16 * sizeof(float), 5, 256, &done);  // where
#endif
  scratchpad_wait(&done, 1);
  p->y[0] = all[0] + next[0];
}
