#include "cpe.h"

__thread_local int steps = 1;

void work(Parameters *p) {
#ifdef GOOD
  const int last = 1 << 10;
#else
  const int last = 3;
#endif
  for (int i = 1; i != last; i += i) p->y[_MYID] += steps;  // where
}
