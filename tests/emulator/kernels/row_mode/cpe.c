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
  athread_get(ROW_MODE, (void *)p->x, block, sizeof block, (void *)&reply, 0xff, 0, 0);
  while (reply != 1);
}
