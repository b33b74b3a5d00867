#include "cpe.h"

__thread_local volatile unsigned long reply;
__thread_local float in[BLOCK], out[BLOCK];

/* One counter for both directions: the reset before the next get forgets the put. */
void work(Parameters *p) {
  for (int t = 0; t < 2; ++t) {
    reply = 0;  // where
    GET(p->x + _MYID * BLOCK, in, reply);
    while (reply != 1);
    for (int i = 0; i < BLOCK; ++i) out[i] = in[i] + t;
    PUT(out, p->y + _MYID * BLOCK, reply);  // cause
#ifdef GOOD
    while (reply != 2);
#endif
  }
  while (reply != 2);
}
