#include "core.h"

#ifdef GOOD
static SCRATCHPAD_SHARED float all[131072];
#else
static SCRATCHPAD_SHARED float all[131074];  // where
#endif
static SCRATCHPAD scratchpad_counter done;

/* All of it, and not more. */
void work(void *argument) {
  const Parameters *p = argument;
  if (scratchpad_core() != 0) return;
  done = 0;
  scratchpad_get(all + 131072 - BLOCK, p->x, BLOCK * sizeof(float), &done);
  scratchpad_wait(&done, 1);
  p->y[0] = all[131072 - BLOCK];
}
