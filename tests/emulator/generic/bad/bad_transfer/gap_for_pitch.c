#include "core.h"

static SCRATCHPAD float rows[8][8];
static SCRATCHPAD scratchpad_counter done;

#ifdef GOOD
#define PITCH (10 * sizeof(float))
#else
#define PITCH (2 * sizeof(float)) /* the gap between rows */
#endif

void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  done = 0;
  scratchpad_get_blocks(rows, p->x, sizeof rows[0], 8, PITCH, &done);  // where
  scratchpad_wait(&done, 1);
  p->y[id] = rows[id][id];
}
