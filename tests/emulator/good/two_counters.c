#include "cpe.h"

__thread_local volatile int got[3];
__thread_local float block[3][BLOCK];

/* One loop waits for several counters, which rise in any order. */
void work(Parameters *p) {
  got[0] = got[1] = got[2] = 0;
  GET(p->x, block[2], got[2]);
  GET(p->x + BLOCK, block[1], got[1]);
  while (got[1] != 1 || got[2] != 1)
    ;
  GET(p->x, block[0], got[0]);
  while (got[1] != 1 || got[0] != 1 || got[2] != 1)
    ;
  p->y[_MYID] = block[0][1] + block[1][2] + block[2][3];
}
