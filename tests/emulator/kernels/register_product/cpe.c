#include "simd.h"
#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

#define N 64
#define TILE 8
#define VECTORS (TILE * TILE / 4)

__thread_local volatile int reply;
__thread_local float tile[TILE * TILE];
__thread_local double own[TILE * TILE] __attribute__((aligned(32)));
__thread_local double left[TILE * TILE] __attribute__((aligned(32)));
__thread_local double right[TILE * TILE] __attribute__((aligned(32)));
__thread_local double sum[TILE * TILE];

/* y = x * x of 64 x 64 matrices. Each CPE holds a tile; in step t column t of the mesh sends its
   tiles along the rows, and row t along the columns. */
void work(Parameters *p) {
  float *const first = (float *)p->x + _ROW * TILE * N + _COL * TILE;
  reply = 0;
  athread_get(PE_MODE, first, tile, sizeof tile, (void *)&reply, 0, (N - TILE) * 4, TILE * 4);
  while (reply != 1);
  for (int i = 0; i < TILE * TILE; ++i) own[i] = tile[i], sum[i] = 0;
  for (int t = 0; t < N / TILE; ++t) {
    for (int v = 0; v < VECTORS; ++v) {
      doublev4 a, b;
      if (_COL == t) {
        simd_loadr(a, &own[4 * v]);
      } else {
        simd_getr(a);
      }
      if (_ROW == t) {
        simd_load(b, &own[4 * v]);
        simd_putc(b, 8);
      } else {
        b = simd_getc(b);
      }
      simd_store(a, &left[4 * v]);
      simd_store(b, &right[4 * v]);
    }
    for (int i = 0; i < TILE; ++i) {
      for (int k = 0; k < TILE; ++k) {
        for (int j = 0; j < TILE; ++j) sum[i * TILE + j] += left[i * TILE + k] * right[k * TILE + j];
      }
    }
  }
  for (int i = 0; i < TILE * TILE; ++i) tile[i] = sum[i];
  reply = 0;
  athread_put(PE_MODE, tile, p->y + _ROW * TILE * N + _COL * TILE, sizeof tile, (void *)&reply,
              (N - TILE) * 4, TILE * 4);
  while (reply != 1);
}
