#include "cpe.h"

__thread_local float block[BLOCK];
__thread_local float behind[BLOCK];

void work(Parameters *p) {
#ifdef GOOD
  const int last = BLOCK;
#else
  const int last = BLOCK + 1;
#endif
  behind[0] = 1;
  for (int i = 0; i < last; ++i) block[i] = p->x[i];  // where
  p->y[_MYID] = block[_MYID] + behind[0];
}
