#include "cpe.h"

typedef struct {
  float *data;
  volatile int *reply;
} Tile;

__thread_local volatile int reply;

static void fetch(Tile *tile, const float *from) {
  *tile->reply = 0;
  athread_get(PE_MODE, (void *)from, tile->data, BLOCK * 4, (void *)tile->reply, 0, 0, 0);  // cause
}

static void finish(Tile *tile) {
  while (*tile->reply != 1);
}

static float total(const Tile *tile) {
  float sum = 0;
  for (int i = 0; i < BLOCK; ++i) sum += tile->data[i];  // where
  return sum;
}

void work(Parameters *p) {
  Tile tile = {ldm_malloc(BLOCK * 4), &reply};
  fetch(&tile, p->x + _MYID * BLOCK);
#ifdef GOOD
  finish(&tile);
#endif
  p->y[_MYID] = total(&tile);
  finish(&tile);
  ldm_free(tile.data, BLOCK * 4);
}
