#include "cpe.h"

__thread_local float value;
__thread_local volatile int reply;

void work(Parameters *p) {
  value = 1;
  reply = 0;
  athread_put(PE_MODE, &value, p->y + _MYID, 4, (void *)&reply, 0, 0);
  while (reply != 1);
}
