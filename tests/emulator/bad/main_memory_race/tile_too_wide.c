#include "cpe.h"

__thread_local volatile int put;
__thread_local float block[BLOCK + 4];

/* The last word of the put belongs to the next CPE. */
void work(Parameters *p) {
#ifdef GOOD
  const int count = BLOCK;
#else
  const int count = _MYID == 63 ? BLOCK : BLOCK + 1;
#endif
  put = 0;
  for (int i = 0; i < count; ++i) block[i] = _MYID;
  athread_put(PE_MODE, block, p->y + _MYID * BLOCK, count * 4, (void *)&put, 0, 0);  // where
  while (put != 1);
}
