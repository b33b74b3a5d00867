#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

__thread_local volatile int reply;
__thread_local float block[64];

void work(Parameters *p) {
  reply = 0;
  athread_get_p(PE_MODE, (void *)(p->x + _MYID * 64), block, 256, (void *)&reply, 0, 0, 0);
  while (reply != 1);
}
