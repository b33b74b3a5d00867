#include "core.h"

static SCRATCHPAD float rows[8][8];
static SCRATCHPAD scratchpad_counter done;

#ifdef GOOD
#define FIRST 504
#else
#define FIRST 512
#endif

void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  done = 0;
  scratchpad_get_blocks(rows, p->x + FIRST, 8 * sizeof(float), 8, 2048, &done);  // where
  scratchpad_wait(&done, 1);
  p->y[id] = rows[id][id];
}
