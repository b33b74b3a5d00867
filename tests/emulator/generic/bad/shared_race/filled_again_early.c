#include "core.h"

static SCRATCHPAD_SHARED float all[BLOCK];
static SCRATCHPAD scratchpad_counter done;

/* Others may still read what came before. */
void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  for (int block = 0; block < 2; ++block) {
    done = 0;
    if (id == 0) {
      scratchpad_get(all, p->x + block * BLOCK, sizeof all, &done);  // cause
      scratchpad_wait(&done, 1);
    }
    scratchpad_meet();
    p->y[block * BLOCK + id] = all[id];  // where
#ifdef GOOD
    scratchpad_meet();
#endif
  }
}
