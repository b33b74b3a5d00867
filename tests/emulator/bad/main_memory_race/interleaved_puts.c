#include "cpe.h"

__thread_local volatile int put;
__thread_local float block[2][16];

/* Two strided puts whose blocks alternate; in the bad one they share a word. */
void work(Parameters *p) {
  float *to = p->y + _MYID * BLOCK;
#ifdef GOOD
  const int bytes = 16;
#else
  const int bytes = 20;
#endif
  for (int i = 0; i < 32; ++i) block[i / 16][i % 16] = i;
  put = 0;
  athread_put(PE_MODE, block[0], to, 3 * bytes, (void *)&put, 32 - bytes, bytes);  // cause
  athread_put(PE_MODE, block[1], to + 4, 3 * 16, (void *)&put, 16, 16);  // where
  while (put != 2);
}
