#include "core.h"

static SCRATCHPAD_SHARED float all[2 * BLOCK];
static SCRATCHPAD scratchpad_counter done;

/* An engine moves between two memories. */
void work(void *argument) {
  const Parameters *p = argument;
  if (scratchpad_core() != 0) return;
  done = 0;
  scratchpad_get(all, p->x, BLOCK * sizeof(float), &done);
  scratchpad_wait(&done, 1);
#ifdef GOOD
  scratchpad_get(all + BLOCK, p->x, BLOCK * sizeof(float), &done);
#else
  scratchpad_get(all + BLOCK, all, BLOCK * sizeof(float), &done);  // where
#endif
  scratchpad_wait(&done, 2);
  p->y[0] = all[BLOCK];
}
