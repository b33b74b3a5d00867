#include "core.h"

static SCRATCHPAD_SHARED float all[BLOCK];

/* Core 0 alone fills and uses what all cores see; the loops of the others leave it out. */
void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  const int end = id == 0;
  for (int k = 0; k < 2; ++k) {
    for (int own = id; own < end; ++own) p->y[k] = 0;
    if (id == 0) all[0] = p->x[k];
    for (int own = id; own < end; ++own) p->y[k] = p->y[k] + all[0] * p->x[k + 2];
  }
}
