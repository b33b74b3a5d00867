#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

__thread_local volatile int reply;
__thread_local float block[64];

void work(Parameters *p) {
  reply = 0;
  athread_get(PE_MODE, (void *)p->x, block, 64, (void *)&reply, 0, 64, 0);
  while (reply != 1);
}
