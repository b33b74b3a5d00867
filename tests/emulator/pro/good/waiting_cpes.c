#include "cpe.h"

/* Spawns with an argument, and one without, which goes on where the last one stopped. */
__thread_local float sum = 0;
__thread_local float *place;

void add(Parameters *p) {
  sum += _MYID;
  place = p->y + _MYID;
  athread_dma_put(place, &sum, sizeof sum);
}

void next(void) {
  sum += 1;
  athread_dma_put(place, &sum, sizeof sum);
}
