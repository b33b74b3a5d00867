#include "core.h"

static SCRATCHPAD_SHARED float all[BLOCK];
static SCRATCHPAD scratchpad_counter done;

/* Who begins a transfer has to wait for it as well. */
void work(void *argument) {
  const Parameters *p = argument;
  if (scratchpad_core() != 0) return;
  done = 0;
  scratchpad_get(all, p->x, sizeof all, &done);  // cause
#ifdef GOOD
  scratchpad_wait(&done, 1);
#endif
  p->y[0] = all[3];  // where
  scratchpad_wait(&done, 1);
}
