#include "cpe.h"

void work(Parameters *p) {
  p->y[_MYID] = p->x[_MYID];  // cause
#ifdef GOOD
  athread_syn(ARRAY_SCOPE, 0xffff);
#endif
  float next = p->y[(_MYID + 1) % 64];  // where
  athread_syn(ARRAY_SCOPE, 0xffff);
  p->y[64 + _MYID] = next;
}
