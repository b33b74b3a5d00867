#include <string.h>

#include "cpe.h"

typedef struct {
  char tag;
  double weight;
  float values[6];
} Item;

__thread_local Item items[4];
__thread_local volatile int reply;

static Item make(int tag, const float *values) {
  Item item;
  item.tag = (char)tag;
  item.weight = tag * 0.5;
  memcpy(item.values, values, sizeof item.values);
  return item;
}

/* Copies of structs take the padding along, which has no value. */
void work(Parameters *p) {
  float row[6];
  reply = 0;
  athread_get(PE_MODE, (void *)(p->x + _MYID * BLOCK), row, sizeof row, (void *)&reply, 0, 0, 0);
  while (reply != 1);
  for (int i = 0; i < 4; ++i) items[i] = make(i, row);
  Item *best = &items[0];
  for (int i = 1; i < 4; ++i) {
    if (items[i].weight > best->weight) best = &items[i];
  }
  Item copy = *best;
  float sum = 0;
  for (int i = 0; i < 6; ++i) sum += copy.values[i] * (float)copy.weight;
  p->y[_MYID] = sum + copy.tag;
}
