#include "cpe.h"

typedef struct {
  float data[BLOCK];
#ifdef GOOD
  volatile int reply;
#else
  int reply;
#endif
} Tile;

__thread_local Tile tile;

void work(Parameters *p) {
  tile.reply = 0;
  GET(p->x + _MYID * BLOCK, tile.data, tile.reply);  // cause
  while (tile.reply < 1) {  // where
  }
  p->y[_MYID] = tile.data[1];
}
