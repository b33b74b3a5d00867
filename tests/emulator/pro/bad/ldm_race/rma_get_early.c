#include "cpe.h"

__thread_local float a, b;

/* Others get `a` from a CPE that may not have written it. */
void work(Parameters *p) {
  b = 0;
  a = 1;
  athread_ssync_array();
  if (_MYID == 7) a = 2;  // where
#ifdef GOOD
  athread_ssync_array();
#endif
  if (_MYID == 12) athread_rma_get(&b, 4, 7, &a, 0);  // cause
  p->y[_MYID] = b;
}
