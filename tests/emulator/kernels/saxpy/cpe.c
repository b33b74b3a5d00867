#include "slave.h"

#define BLOCK 512

typedef struct {
  float alpha;
  const float *x;
  float *y;
} Parameters;

__thread_local volatile unsigned long get_reply, put_reply;
__thread_local float x_block[BLOCK];
__thread_local float y_block[BLOCK];

void work(Parameters *p) {
  int first = athread_get_id(-1) * BLOCK;
  get_reply = 0;
  athread_get(PE_MODE, (void *)(p->x + first), x_block, sizeof x_block, (void *)&get_reply, 0, 0, 0);
  athread_get(PE_MODE, p->y + first, y_block, sizeof y_block, (void *)&get_reply, 0, 0, 0);
  while (get_reply != 2);
  for (int i = 0; i < BLOCK; ++i) y_block[i] += p->alpha * x_block[i];
  put_reply = 0;
  athread_put(PE_MODE, y_block, p->y + first, sizeof y_block, (void *)&put_reply, 0, 0);
  while (put_reply != 1);
}
