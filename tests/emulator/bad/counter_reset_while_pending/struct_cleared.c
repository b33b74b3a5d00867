#include <string.h>

#include "cpe.h"

__thread_local struct {
  volatile int reply;
  float block[BLOCK];
} tile;

void work(Parameters *p) {
  tile.reply = 0;
  GET(p->x + _MYID * BLOCK, tile.block, tile.reply);  // cause
#ifdef GOOD
  while (tile.reply != 1);
#endif
  memset((void *)&tile, 0, sizeof tile);  // where
#ifndef GOOD
  while (tile.reply != 1);
#endif
  p->y[_MYID] = tile.block[3];
}
