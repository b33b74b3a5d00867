#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

#define BLOCK 64

__thread_local volatile int reply;
__thread_local float block[BLOCK];

static void get_block(const float *from) {
  reply = 0;
  athread_get(PE_MODE, (void *)from, block, sizeof block, (void *)&reply, 0, 0, 0);
}

/* Loads its block, waits, loads it once more, and uses it before the second wait: the right values
   have been there before, and are still there on a machine that is slow enough. */
void work(Parameters *p) {
  get_block(p->x + _MYID * BLOCK);
  while (reply != 1);
  get_block(p->x + _MYID * BLOCK);
  float first = block[0];
  while (reply != 1);
  block[0] = first + 1;
  reply = 0;
  athread_put(PE_MODE, block, p->y + _MYID * BLOCK, sizeof block, (void *)&reply, 0, 0);
  while (reply != 1);
}
