#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

#define BLOCK 64
#define DEALT 4

__thread_local volatile int reply;
__thread_local float part[BLOCK];

/* The CPEs of a row deal out 64 elements each, 4 to a CPE at a time. */
void work(Parameters *p) {
  reply = 0;
  athread_get(RANK_MODE, (void *)(p->x + _MYID * BLOCK), part + _COL * BLOCK / 8, BLOCK * 4,
              (void *)&reply, 0, 0, DEALT * 4);
  while (reply != 1);
  athread_syn(ROW_SCOPE, 0xff);
  reply = 0;
  athread_put(PE_MODE, part, p->y + _MYID * BLOCK, sizeof part, (void *)&reply, 0, 0);
  while (reply != 1);
}
