#include "cpe.h"

typedef struct {
  float *y;
  int group;
} Part;

__thread_local float value;
__thread_local volatile int reply;

/* Two groups write one place. */
void put(Part *p) {
#ifdef GOOD
  float *const to = p->y + p->group * 64 + _MYID;
#else
  float *const to = p->y + _MYID;
#endif
  value = 1;
  reply = 0;
  athread_put(PE_MODE, &value, to, 4, (void *)&reply, 0, 0);  // where
  while (reply != 1);
}
