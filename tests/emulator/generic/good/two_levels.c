#include "core.h"

static SCRATCHPAD_SHARED float all[2 * BLOCK];
static SCRATCHPAD float own[BLOCK];
static SCRATCHPAD scratchpad_counter done;

/* From main memory to all cores and on to each, and back the same way; what is there lasts. */
void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  done = 0;
  if (id == 1) {
    scratchpad_get(all, p->x, BLOCK * sizeof(float), &done);
    scratchpad_wait(&done, 1);
  }
  scratchpad_meet();
  done = 0;
  scratchpad_get(own, all, BLOCK * sizeof(float), &done);
  scratchpad_wait(&done, 1);
  for (int k = 0; k < 16; ++k) own[16 * id + k] *= 2;
  scratchpad_put(all + BLOCK + 16 * id, own + 16 * id, 16 * sizeof(float), &done);
  scratchpad_wait(&done, 2);
  scratchpad_meet();
  if (id != 2) return;
  REQUIRE(all[5] == p->x[5]);
  scratchpad_put(p->y, all + BLOCK, BLOCK * sizeof(float), &done);
  scratchpad_wait(&done, 3);
  REQUIRE(p->y[BLOCK - 1] == 2 * p->x[BLOCK - 1]);
}
