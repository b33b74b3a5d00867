#include "core.h"

static SCRATCHPAD float block[BLOCK];
static SCRATCHPAD scratchpad_counter done;

#ifdef GOOD
#define COUNT 6
#else
#define COUNT 5 /* this machine moves words of 8 bytes */
#endif

void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  done = 0;
  scratchpad_get(block, p->x, COUNT * sizeof(float), &done);  // where
  scratchpad_wait(&done, 1);
  p->y[id] = block[id];
}
