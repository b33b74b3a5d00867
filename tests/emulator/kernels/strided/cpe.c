#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

#define TILE 8
#define WIDTH 64

__thread_local volatile int reply;
__thread_local float tile[TILE][TILE];

/* CPE (row, column) moves tile (row, column) of a 64 x 64 matrix, scaled by its number. */
void work(Parameters *p) {
  int at = (_ROW * WIDTH + _COL) * TILE;
  reply = 0;
  athread_get(PE_MODE, (void *)(p->x + at), tile, sizeof tile, (void *)&reply, 0,
              (WIDTH - TILE) * 4, TILE * 4);
  while (reply != 1);
  for (int i = 0; i < TILE; ++i)
    for (int j = 0; j < TILE; ++j) tile[i][j] *= _MYID;
  reply = 0;
  athread_put(PE_MODE, tile, p->y + at, sizeof tile, (void *)&reply, (WIDTH - TILE) * 4, TILE * 4);
  while (reply != 1);
}
