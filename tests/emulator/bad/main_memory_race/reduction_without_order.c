#include "cpe.h"

/* CPE 0 adds up what the others have written; the barrier stands too late. */
void work(Parameters *p) {
  p->y[_MYID + 1] = p->x[_MYID] * 2;  // cause
#ifdef GOOD
  athread_syn(ARRAY_SCOPE, 0xffff);
#endif
  if (_MYID == 0) {
    float sum = 0;
    for (int i = 0; i < 64; ++i) sum += p->y[i + 1];  // where
    p->y[100] = sum;
  }
#ifndef GOOD
  athread_syn(ARRAY_SCOPE, 0xffff);
#endif
}
