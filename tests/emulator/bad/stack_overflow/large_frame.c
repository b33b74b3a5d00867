#include "cpe.h"

#ifdef GOOD
#define SIZE 1000
#else
#define SIZE 20000
#endif

void work(Parameters *p) {  // where
  volatile float large[SIZE];
  for (int i = 0; i < SIZE; ++i) large[i] = p->x[i % 64];
  p->y[_MYID] = large[SIZE - 1];
}
