#include "cpe.h"

/* Rows 0 and 1, and rows 4 to 7, run beside each other; then threads one by one. */
__thread_local float block[BLOCK];
__thread_local volatile int reply;

void add(Parameters *p) {
  reply = 0;
  GET(p->x + _MYID * BLOCK, block, reply);
  while (reply != 1);
  for (int i = 0; i < BLOCK; ++i) block[i] += 1;
  PUT(block, p->y + _MYID * BLOCK, reply);
  while (reply != 2);
}

void meet(Parameters *p) {
  if (_MYID == 32) p->y[BLOCK * 20] = 3;
  athread_syn(ARRAY_SCOPE, 0xf0ff); /* rows 4 to 7: the others do other work */
  if (_MYID == 63) p->y[BLOCK * 21] = p->y[BLOCK * 20];
  doublev4 v = simd_set_doublev4(_MYID, 0, 0, 0);
  simd_putr(v, 8);
  for (int k = 0; k < 7; ++k) simd_getr(v);
}

void one(Parameters *p) { p->y[BLOCK * 22 + athread_get_core(-1)] = athread_get_id(-1); }
