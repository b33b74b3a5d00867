#include "cpe.h"

/* Of two places in the LDM, one of which is being filled, the other one is read. */
__thread_local float blocks[3][2][4];
__thread_local volatile int replies[3];

static void get(Parameters *p, int slot) {
  replies[slot] = 0;
  athread_get(PE_MODE, (void *)p->x, &blocks[slot][0][0], 32, (void *)&replies[slot], 0, 0, 0);
}

void work(Parameters *p) {
  if (_MYID != 0) return;
  for (long i = 0; i < 2; ++i) {
    get(p, 0);
    get(p, 1);
    for (long j = 0; j < 8; ++j) {
      if (j <= 5) get(p, (j + 2) % 3);
      while (replies[j % 3] != 1);
      for (long k = 0; k < 3; ++k) {
        const float low = blocks[j % 3][i][2] - blocks[j % 3][k / 2][i];
        p->y[i * 24 + j * 3 + k] = low * (j >= 1 ? blocks[j % 3][i][k] : blocks[j % 3][1][j]);
      }
    }
  }
}
