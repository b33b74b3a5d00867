#include "core.h"

static SCRATCHPAD float rows[4][16];
static SCRATCHPAD_ALIGNED(16) SCRATCHPAD float block[BLOCK];
static SCRATCHPAD scratchpad_counter gets, puts;

/* Each core sums rows of x and hands its block to the next one. */
void work(void *argument) {
  const Parameters *p = argument;
  const int id = scratchpad_core(), cores = scratchpad_cores();
  REQUIRE(cores == 4 && id >= 0 && id < cores);
  gets = puts = 0;
  scratchpad_get_blocks(rows, p->x + id * 256, sizeof rows[0], 4, 64 * sizeof(float), &gets);
  scratchpad_get(block, p->x + id * BLOCK, sizeof block, &gets);
  scratchpad_wait(&gets, 2);
  scratchpad_wait(&gets, 1);
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 16; ++c) block[c] += rows[r][c];
  }
  scratchpad_put(p->y + id * BLOCK, block, sizeof block, &puts);
  scratchpad_wait(&puts, 1);
  scratchpad_meet();
  gets = 0;
  scratchpad_get(block, p->y + (id + 1) % cores * BLOCK, sizeof block, &gets);
  scratchpad_wait(&gets, 1);
  scratchpad_meet();
  scratchpad_put_blocks(p->y + 1024 + id * 16, block, 16 * sizeof(float), 4, 64 * sizeof(float),
                        &puts);
  scratchpad_wait(&puts, 2);
}
