#include "cpe.h"

__thread_local volatile unsigned long reply;
__thread_local float a[BLOCK], b[BLOCK];

/* Which of the two has completed when the counter is 1 is not known. */
void work(Parameters *p) {
  float sum = 0;
  reply = 0;
  GET(p->x + _MYID * BLOCK, a, reply);  // cause
  GET(p->y + _MYID * BLOCK, b, reply);
#ifdef GOOD
  while (reply != 2);
#else
  while (reply != 1);
#endif
  for (int i = 0; i < BLOCK; ++i) sum += a[i];  // where
  while (reply != 2);
  for (int i = 0; i < BLOCK; ++i) sum += b[i];
  p->y[_MYID * BLOCK] = sum;
}
