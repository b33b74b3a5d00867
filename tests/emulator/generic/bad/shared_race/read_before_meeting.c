#include "core.h"

static SCRATCHPAD_SHARED float all[BLOCK];
static SCRATCHPAD float own[BLOCK];
static SCRATCHPAD scratchpad_counter done;

/* Only who has waited knows that it is there, until all have met. */
void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  done = 0;
  if (id == 0) {
    scratchpad_get(all, p->x, sizeof all, &done);  // cause
    scratchpad_wait(&done, 1);
  }
#ifdef GOOD
  scratchpad_meet();
#endif
  done = 0;
  scratchpad_get(own, all, sizeof own, &done);  // where
  scratchpad_wait(&done, 1);
  p->y[id] = own[id];
}
