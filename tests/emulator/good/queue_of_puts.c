#include "cpe.h"

#define DEPTH 3
#define STEPS 8

typedef struct {
  float data[8];
  volatile int done;
  int posted;
} Slot;

__thread_local Slot slots[DEPTH];

static Slot *take(int step) {
  Slot *slot = &slots[step % DEPTH];
  while (slot->done != slot->posted);
  return slot;
}

/* A ring of buffers, each with a count of what it has posted: counters are never reset. */
void work(Parameters *p) {
  for (int i = 0; i < DEPTH; ++i) slots[i].done = slots[i].posted = 0;
  for (int step = 0; step < STEPS; ++step) {
    Slot *slot = take(step);
    for (int k = 0; k < 8; ++k) slot->data[k] = step * 10 + k;
    slot->posted++;
    athread_put(PE_MODE, slot->data, p->y + _MYID * BLOCK + step * 8, 32, (void *)&slot->done, 0, 0);
  }
  for (int i = 0; i < DEPTH; ++i) take(i);
}
