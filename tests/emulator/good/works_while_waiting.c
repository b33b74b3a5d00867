#include "cpe.h"

__thread_local volatile int reply[3];
__thread_local float block[3][BLOCK];

/* The wait is a loop that also counts and does a piece of other work. */
void work(Parameters *p) {
  float sum = 0;
  int pieces = 0;
  for (int i = 0; i < 3; ++i) {
    reply[i] = 0;
    GET(p->x + (_MYID + i) % 64 * BLOCK, block[i], reply[i]);
  }
  for (int arrived = 0; arrived < 3; ++arrived) {
    while (1) {
      if (reply[arrived] == 1) break;
      if (++pieces < 1000) sum += 1e-30f;
    }
    for (int k = 0; k < BLOCK; ++k) sum += block[arrived][k];
  }
  p->y[_MYID] = sum;
}
