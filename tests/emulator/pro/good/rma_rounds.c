#include "cpe.h"

/* Tiles of a product of 8 x 8 tiles of TILE x TILE, as public kernels hand them on: the owner of
   round c + 1 broadcasts along its row, or column, into the other half while round c is computed. */
#define TILE 4
#define CELLS (TILE * TILE)

__thread_local float own_a[CELLS], own_b[CELLS], c[CELLS];
__thread_local float tile_a[2][CELLS], tile_b[2][CELLS];
__thread_local athread_rply_t sent_a, sent_b, got_a[8], got_b[8];

static void send(int round) {
  if (_COL == round) {
    athread_rma_row_ibcast(tile_a[round % 2], own_a, sizeof own_a, &sent_a, &got_a[round]);
  }
  if (_ROW == round) {
    athread_rma_col_ibcast(tile_b[round % 2], own_b, sizeof own_b, &sent_b, &got_b[round]);
  }
}

void work(Parameters *p) {
  for (int i = 0; i < CELLS; ++i) {
    own_a[i] = (float)((_MYID + i) % 3);
    own_b[i] = (float)((_MYID * 2 + i) % 5);
    c[i] = 0;
  }
  sent_a = sent_b = 0;
  for (int i = 0; i < 8; ++i) got_a[i] = got_b[i] = 0;
  athread_ssync_array();
  send(0);
  for (int round = 0; round < 8; ++round) {
    athread_rma_wait_value(&got_a[round], 1);
    athread_rma_wait_value(&got_b[round], 1);
    athread_ssync_array();
    if (round < 7) send(round + 1);
    const float *a = tile_a[round % 2], *b = tile_b[round % 2];
    for (int i = 0; i < TILE; ++i)
      for (int k = 0; k < TILE; ++k)
        for (int j = 0; j < TILE; ++j) c[i * TILE + j] += a[i * TILE + k] * b[k * TILE + j];
  }
  athread_rma_wait_value(&sent_a, 1);
  athread_rma_wait_value(&sent_b, 1);
  for (int i = 0; i < TILE; ++i)
    for (int j = 0; j < TILE; ++j) {
      float sum = 0;
      for (int t = 0; t < 8; ++t)
        for (int k = 0; k < TILE; ++k) {
          const int a = _ROW * 8 + t + i * TILE + k, b = (t * 8 + _COL) * 2 + k * TILE + j;
          sum += (float)(a % 3) * (float)(b % 5);
        }
      REQUIRE(c[i * TILE + j] == sum);
    }
  athread_dma_put(p->y + _MYID * CELLS, c, sizeof c);
}
