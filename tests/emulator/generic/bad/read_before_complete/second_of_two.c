#include "core.h"

static SCRATCHPAD float a[BLOCK], b[BLOCK];
static SCRATCHPAD scratchpad_counter done;

/* One of two transfers may be either. */
void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  done = 0;
  scratchpad_get(a, p->x, sizeof a, &done);
  scratchpad_get_blocks(b, p->x, 16 * sizeof(float), 4, 256, &done);  // cause
#ifdef GOOD
  scratchpad_wait(&done, 2);
#else
  scratchpad_wait(&done, 1);
#endif
  p->y[id] = b[id];  // where
  scratchpad_wait(&done, 2);
}
