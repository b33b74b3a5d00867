#include "cpe.h"

void work(Parameters *p) {
  p->y[_MYID] = p->x[_MYID];
#ifndef GOOD
  if (_MYID == 9) return;
#endif
  athread_syn(ARRAY_SCOPE, 0xffff);  // where
}
