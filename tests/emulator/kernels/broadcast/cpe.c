#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

#define BLOCK 64
#define ROWS 0x0d

__thread_local volatile int reply;
__thread_local float block[BLOCK];

/* CPE 10, of row 1, broadcasts every second 8 of its elements to the rows 0, 2 and 3. */
void work(Parameters *p) {
  for (int k = 0; k < BLOCK; ++k) block[k] = -1;
  athread_syn(ARRAY_SCOPE, 0xffff);
  reply = 0;
  if (_MYID == 10) {
    athread_get(BCAST_MODE, (void *)p->x, block, sizeof block, (void *)&reply, ROWS, 32, 32);
    while (reply != 1);
  }
  athread_syn(ARRAY_SCOPE, 0xffff);
  reply = 0;
  athread_put(PE_MODE, block, p->y + _MYID * BLOCK, sizeof block, (void *)&reply, 0, 0);
  while (reply != 1);
}
