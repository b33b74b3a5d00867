/* B is read once, and that is the time it takes: a mesh column has 128 columns of B, so that a
 * block of a transfer is 512 bytes, and a mesh row 128 of its rows, in tiles of 32 rows (16 KB),
 * one in flight while the other is used. The 8 sums of a column meet in main memory; after the
 * barrier each CPE adds those of 16 columns. */
#include "matmul.h"
#include "simd.h"
#include "slave.h"

#define MY_K (K / MESH)
#define MY_N (N / MESH)
#define TILE 32
#define TILES (MY_K / TILE)
#define MY_SUMS (MY_N / MESH)

__thread_local volatile int a_reply, b_reply[2], reply;
__thread_local float a_part[MY_K] __attribute__((aligned(32)));
__thread_local float b_tile[2][TILE][MY_N] __attribute__((aligned(32)));
__thread_local float sums[MY_N] __attribute__((aligned(32)));
__thread_local float others[MESH][MY_SUMS] __attribute__((aligned(32)));

static void start_tile(const float* B, int tile) {
  int half = tile % 2;
  b_reply[half] = 0;
  athread_get(PE_MODE, (void*)(B + (_ROW * MY_K + tile * TILE) * N + _COL * MY_N), b_tile[half],
              TILE * MY_N * 4, (void*)&b_reply[half], 0, (N - MY_N) * 4, MY_N * 4);
}

/* Adds TILE rows to 32 columns from column n on; the sums are in registers. */
static void add_rows(const float* a, float (*b)[MY_N], int n) {
  floatv4 s0, s1, s2, s3, s4, s5, s6, s7;
  simd_load(s0, sums + n);
  simd_load(s1, sums + n + 4);
  simd_load(s2, sums + n + 8);
  simd_load(s3, sums + n + 12);
  simd_load(s4, sums + n + 16);
  simd_load(s5, sums + n + 20);
  simd_load(s6, sums + n + 24);
  simd_load(s7, sums + n + 28);
  for (int k = 0; k < TILE; ++k) {
    const float* row = b[k] + n;
    floatv4 x, r0, r1, r2, r3, r4, r5, r6, r7;
    simd_loade(x, a + k);
    simd_load(r0, row);
    simd_load(r1, row + 4);
    simd_load(r2, row + 8);
    simd_load(r3, row + 12);
    simd_load(r4, row + 16);
    simd_load(r5, row + 20);
    simd_load(r6, row + 24);
    simd_load(r7, row + 28);
    s0 = simd_vmas(x, r0, s0);
    s1 = simd_vmas(x, r1, s1);
    s2 = simd_vmas(x, r2, s2);
    s3 = simd_vmas(x, r3, s3);
    s4 = simd_vmas(x, r4, s4);
    s5 = simd_vmas(x, r5, s5);
    s6 = simd_vmas(x, r6, s6);
    s7 = simd_vmas(x, r7, s7);
  }
  simd_store(s0, sums + n);
  simd_store(s1, sums + n + 4);
  simd_store(s2, sums + n + 8);
  simd_store(s3, sums + n + 12);
  simd_store(s4, sums + n + 16);
  simd_store(s5, sums + n + 20);
  simd_store(s6, sums + n + 24);
  simd_store(s7, sums + n + 28);
}

/* The sums of 16 columns over the mesh rows, into C. */
static void add_partial_sums(Parameters* p) {
  int column = _COL * MY_N + _ROW * MY_SUMS;
  reply = 0;
  athread_get(PE_MODE, p->partial + column, others, sizeof others, (void*)&reply, 0,
              (N - MY_SUMS) * 4, MY_SUMS * 4);
  while (reply != 1)
    ;
  for (int n = 0; n < MY_SUMS; n += 4) {
    floatv4 sum, other;
    simd_load(sum, &others[0][n]);
    for (int row = 1; row < MESH; ++row) {
      simd_load(other, &others[row][n]);
      sum = simd_vadds(sum, other);
    }
    simd_store(sum, &others[0][n]);
  }
  reply = 0;
  athread_put(PE_MODE, others[0], p->C + column, MY_SUMS * 4, (void*)&reply, 0, 0);
  while (reply != 1)
    ;
}

void matmul(Parameters* p) {
  const float* B = p->B;
  floatv4 zero = simd_set_floatv4(0, 0, 0, 0);
  start_tile(B, 0);
  a_reply = 0;
  athread_get(PE_MODE, (void*)(p->A + _ROW * MY_K), a_part, sizeof a_part, (void*)&a_reply, 0, 0,
              0);
  for (int n = 0; n < MY_N; n += 4) simd_store(zero, sums + n);
  while (a_reply != 1)
    ;
  for (int tile = 0; tile < TILES; ++tile) {
    if (tile + 1 < TILES) start_tile(B, tile + 1);
    while (b_reply[tile % 2] != 1)
      ;
    for (int n = 0; n < MY_N; n += 32) add_rows(a_part + tile * TILE, b_tile[tile % 2], n);
  }
  reply = 0;
  athread_put(PE_MODE, sums, p->partial + _ROW * N + _COL * MY_N, sizeof sums, (void*)&reply, 0, 0);
  while (reply != 1)
    ;
  athread_syn(ARRAY_SCOPE, 0xffff);
  add_partial_sums(p);
}
