#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

#define BLOCK 64

__thread_local volatile int reply;
__thread_local float block[BLOCK];

void work(Parameters *p) {
  reply = 0;
  athread_get(PE_MODE, (void *)(p->x + _MYID * BLOCK), block, sizeof block, (void *)&reply, 0, 0, 0);
  while (reply != 1);
  reply = 0;
  athread_put(PE_MODE, block, (void *)(p->x + _MYID * BLOCK), sizeof block, (void *)&reply, 0, 0);
  while (reply != 1);
}
