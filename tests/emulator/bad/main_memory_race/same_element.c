#include "cpe.h"

void work(Parameters *p) {
#ifdef GOOD
  p->y[_MYID] = 3;
#else
  p->y[_MYID / 2] = 3;  // where
#endif
}
