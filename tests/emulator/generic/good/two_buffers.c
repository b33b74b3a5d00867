#include "core.h"

static SCRATCHPAD float block[2][BLOCK];
static SCRATCHPAD scratchpad_counter full[2], empty;

/* The next block comes while this one is worked on. */
void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core();
  const float *x = p->x + id * 4 * BLOCK;
  float *y = p->y + id * 4 * BLOCK;
  full[0] = 0;
  scratchpad_get(block[0], x, sizeof block[0], &full[0]);
  for (int k = 0; k < 4; ++k) {
    const int now = k % 2, next = 1 - now;
    if (k < 3) {
      full[next] = 0;
      scratchpad_get(block[next], x + (k + 1) * BLOCK, sizeof block[0], &full[next]);
    }
    scratchpad_wait(&full[now], 1);
    for (int i = 0; i < BLOCK; ++i) block[now][i] *= 3;
    empty = 0;
    scratchpad_put(y + k * BLOCK, block[now], sizeof block[0], &empty);
    scratchpad_wait(&empty, 1);
  }
}
