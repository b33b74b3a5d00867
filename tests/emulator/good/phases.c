#include "cpe.h"

__thread_local volatile int got, put;
__thread_local float block[BLOCK];

/* Phases of gets and puts, with barriers between: each CPE takes what others have put. */
void work(Parameters *p) {
  got = put = 0;
  GET(p->x + _MYID * BLOCK, block, got);
  while (got != 1);
  for (int phase = 1; phase <= 3; ++phase) {
    PUT(block, p->y + _MYID * BLOCK, put);
    while (put != phase);
    athread_syn(ARRAY_SCOPE, 0xffff);
    GET(p->y + (_MYID * 5 + phase) % 64 * BLOCK, block, got);
    while (got != phase + 1);
    athread_syn(ARRAY_SCOPE, 0xffff);
    for (int i = 0; i < BLOCK; ++i) block[i] += 1;
  }
  /* Columns, then rows: together they order all with all. */
  p->y[_MYID * BLOCK] = block[1];
  athread_syn(COL_SCOPE, 0xff);
  athread_syn(ROW_SCOPE, 0xff);
  block[0] = p->y[63 * BLOCK];
  athread_syn(ARRAY_SCOPE, 0xffff);
  p->y[_MYID * BLOCK + 1] = block[0];
}
