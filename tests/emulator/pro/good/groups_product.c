#include "cpe.h"

/* One product of 8 x 8 tiles of TILE x TILE on each core group, of tiles that the group makes of its
   number, and then what all groups did: each CPE adds the tiles that stand at its place. */
#define TILE 2
#define CELLS (TILE * TILE)
#define GROUPS 6

__thread_local float own_a[CELLS], own_b[CELLS], tile_a[CELLS], tile_b[CELLS], c[CELLS];
__thread_local float all[GROUPS][CELLS];
__thread_local athread_rply_t got, landed;

static float a_at(int group, int row, int column) {
  return (float)((group + row * 3 + column) % 5);
}
static float b_at(int group, int row, int column) {
  return (float)((group * 2 + row + column * 2) % 3);
}

void work(Parameters *p) {
  for (int i = 0; i < TILE; ++i) {
    for (int j = 0; j < TILE; ++j) {
      own_a[i * TILE + j] = a_at(CRTS_cgn, _ROW * TILE + i, _COL * TILE + j);
      own_b[i * TILE + j] = b_at(CRTS_cgn, _ROW * TILE + i, _COL * TILE + j);
      c[i * TILE + j] = 0;
    }
  }
  for (int round = 0; round < 8; ++round) {
    athread_rma_row_bcast_coll(tile_a, own_a, sizeof own_a, round);
    athread_rma_col_bcast_coll(tile_b, own_b, sizeof own_b, round);
    for (int i = 0; i < TILE; ++i)
      for (int k = 0; k < TILE; ++k)
        for (int j = 0; j < TILE; ++j)
          c[i * TILE + j] += tile_a[i * TILE + k] * tile_b[k * TILE + j];
  }
  athread_dma_put(p->y + (CRTS_cgn * 64 + CRTS_tid) * CELLS, c, sizeof c);
  athread_ssync_node();
  landed = 0;
  for (int group = 0; group < GROUPS; ++group) {
    athread_dma_iget(all[group], p->y + (group * 64 + CRTS_tid) * CELLS, sizeof c, &landed);
  }
  athread_dma_wait_value(&landed, GROUPS);
  for (int group = 0; group < GROUPS; ++group)
    for (int i = 0; i < TILE; ++i)
      for (int j = 0; j < TILE; ++j) {
        float sum = 0;
        for (int k = 0; k < 8 * TILE; ++k) {
          sum += a_at(group, _ROW * TILE + i, k) * b_at(group, k, _COL * TILE + j);
        }
        REQUIRE(all[group][i * TILE + j] == sum);
      }
}
