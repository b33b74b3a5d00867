#include "cpe.h"

__thread_local volatile int first, second;
__thread_local float tile[4][8];

void work(Parameters *p) {
  first = second = 0;
  athread_get(PE_MODE, (void *)(p->x + _MYID * BLOCK), tile[0], 2 * 32, (void *)&first, 0, 32, 32);  // cause
#ifdef GOOD
  athread_get(PE_MODE, (void *)(p->x + _MYID * BLOCK), tile[2], 2 * 32, (void *)&second, 0, 32, 32);
#else
  athread_get(PE_MODE, (void *)(p->x + _MYID * BLOCK), tile[1], 2 * 32, (void *)&second, 0, 32, 32);  // where
#endif
  while (first != 1);
  while (second != 1);
  p->y[_MYID * BLOCK] = tile[0][0] + tile[2][1];
}
