#include "cpe.h"

/* Each of several fast spawns adds 1 to what the one before left. */
__thread_local float block[BLOCK];
__thread_local int rounds = 0;
__thread_local volatile int reply;

void add(Parameters *p) {
  reply = 0;
  if (rounds == 0)
    GET(p->x + _MYID * BLOCK, block, reply);
  else
    GET(p->y + _MYID * BLOCK, block, reply);
  while (reply != 1);
  for (int i = 0; i < BLOCK; ++i) block[i] += 1;
  PUT(block, p->y + _MYID * BLOCK, reply);
  while (reply != 2);
  ++rounds;
}
