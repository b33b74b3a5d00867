#include "cpe.h"

typedef struct {
  const float *x;
  float *y;
} Part;

__thread_local float value;
__thread_local volatile int reply;

/* What the group beside this one has put in the round before. */
void turn(Part *p) {
  reply = 0;
  athread_get(PE_MODE, (void *)(p->x + _MYID), &value, 4, (void *)&reply, 0, 0, 0);
  while (reply != 1);
  value += 1;
  athread_put(PE_MODE, &value, p->y + _MYID, 4, (void *)&reply, 0, 0);
  while (reply != 2);
}
