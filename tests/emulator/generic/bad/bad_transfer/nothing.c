#include "core.h"

static SCRATCHPAD float block[BLOCK];
static SCRATCHPAD scratchpad_counter done;

void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  const size_t bytes = id == 3 ? 0 : sizeof block;
  done = 0;
  for (int i = 0; i < BLOCK; ++i) block[i] = 1;
#ifdef GOOD
  if (bytes == 0) return;
#endif
  scratchpad_put(p->y + id * BLOCK, block, bytes, &done);  // where
  scratchpad_wait(&done, 1);
}
