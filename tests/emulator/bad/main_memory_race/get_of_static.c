#include "cpe.h"

static float shared[64 * 4];
__thread_local volatile int reply;
__thread_local float row[4];

void work(Parameters *p) {
  for (int i = 0; i < 4; ++i) shared[_MYID * 4 + i] = p->x[i];  // cause
#ifdef GOOD
  athread_syn(ARRAY_SCOPE, 0xffff);
#endif
  reply = 0;
  athread_get(PE_MODE, shared + (63 - _MYID) * 4, row, sizeof row, (void *)&reply, 0, 0, 0);  // where
  while (reply != 1);
  p->y[_MYID] = row[2];
}
