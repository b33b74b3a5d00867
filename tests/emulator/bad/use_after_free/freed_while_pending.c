#include "cpe.h"

__thread_local volatile int reply;

void work(Parameters *p) {
  float *block = ldm_malloc(BLOCK * 4);
  for (int i = 0; i < BLOCK; ++i) block[i] = i;
  reply = 0;
  PUT(block, p->y + _MYID * BLOCK, reply);  // where
#ifdef GOOD
  while (reply != 1);
#endif
  ldm_free(block, BLOCK * 4);  // cause
  while (reply != 1);
}
