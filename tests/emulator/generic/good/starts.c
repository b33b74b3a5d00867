#include "core.h"

static SCRATCHPAD int calls = 7;

/* Scratchpads are loaded anew for every start. */
void work(void *argument) {
  const Parameters *p = argument;
  REQUIRE(calls == 7);
  ++calls;
  p->y[scratchpad_core()] += p->x[0] * scratchpad_cores();
}
