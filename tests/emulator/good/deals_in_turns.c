#include "cpe.h"

__thread_local volatile int reply;
__thread_local float part[2][BLOCK];

/* All CPEs of a row deal out a panel together while they use the one before. */
void work(Parameters *p) {
  float sum = 0;
  reply = 0;
  DEAL(p->x + _COL * 64, part[0] + _COL * 8, 16, reply);
  for (int round = 0; round < 4; ++round) {
    while (reply != round + 1);
    athread_syn(ROW_SCOPE, 0xff);
    if (round < 3) DEAL(p->x + _COL * 64, part[(round + 1) & 1] + _COL * 8, 16, reply);
    for (int k = 0; k < BLOCK; ++k) sum += part[round & 1][k];
  }
  p->y[_MYID] = sum;
}
