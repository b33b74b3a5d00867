/* One row of A: B is read once, and that is the time it takes. Its columns are cut into parts, its
 * rows into shares; a CPE has one share of one part, in tiles of about 16 KB, one in flight while
 * the other is used. The sums of the shares meet in main memory; after the barrier, CPEs add them,
 * 64 columns or more each. */
#include "matmul.h"
#include "simd.h"
#include "slave.h"

#if M == 1

#define COLUMNS (PARTS == 1 ? N : WHOLE(WHOLE(N, PARTS), 32) * 32) /* of a part */
#define SHARE (WHOLE(WHOLE(K, SHARES), 4) * 4)                     /* rows of B */
#define TILE (COLUMNS < 1024 ? 4096 / COLUMNS / 4 * 4 : COLUMNS < 4096 ? 4096 / COLUMNS : 1)
#define MY_SUMS (WHOLE(N, CPES) < 64 ? 64 : WHOLE(WHOLE(N, CPES), 32) * 32)
#define BUFFER (TILE * COLUMNS + 16)
#define OTHERS (SHARES * MY_SUMS)

#define TILES_FLOATS (2 * BUFFER < OTHERS ? OTHERS : 2 * BUFFER)

#if SHARE + WHOLE(COLUMNS, 32) * 32 + TILES_FLOATS > 15872
#error "K is so large that the part of A that a CPE needs does not fit into the LDM"
#endif

__thread_local volatile int a_reply, b_reply[2], reply;
__thread_local float a_part[SHARE] __attribute__((aligned(32)));
__thread_local float sums[WHOLE(COLUMNS, 32) * 32] __attribute__((aligned(32)));
__thread_local float tiles[TILES_FLOATS] __attribute__((aligned(32)));

/* What this CPE has. */
typedef struct {
  const float* B;
  int first, rows; /* of B */
  int columns;
} Share;

static void start_tile(const Share* s, int tile) {
  int rows = LEAST(TILE, s->rows - tile * TILE), floats = rows * s->columns;
  int block = s->columns == N ? floats : s->columns;
  b_reply[tile % 2] = 0;
  athread_get(PE_MODE, (void*)(s->B + (long)tile * TILE * N), tiles + tile % 2 * BUFFER, floats * 4,
              (void*)&b_reply[tile % 2], 0, (N - s->columns) * 4, block * 4);
}

/* Adds rows to 16 columns; the sums are in registers. */
static void add_rows(const float* a, const float* b, float* sum, int rows, int columns) {
  floatv4 s0, s1, s2, s3;
  simd_load(s0, sum);
  simd_load(s1, sum + 4);
  simd_load(s2, sum + 8);
  simd_load(s3, sum + 12);
  for (int k = 0; k < rows; ++k, b += columns) {
    floatv4 x, r0, r1, r2, r3;
    simd_loade(x, a + k);
    simd_loadu(r0, b);
    simd_loadu(r1, b + 4);
    simd_loadu(r2, b + 8);
    simd_loadu(r3, b + 12);
    s0 = simd_vmas(x, r0, s0);
    s1 = simd_vmas(x, r1, s1);
    s2 = simd_vmas(x, r2, s2);
    s3 = simd_vmas(x, r3, s3);
  }
  simd_store(s0, sum);
  simd_store(s1, sum + 4);
  simd_store(s2, sum + 8);
  simd_store(s3, sum + 12);
}

static void add_tile(const Share* s, int tile) {
  const float* a = a_part + tile * TILE;
  const float* b = tiles + tile % 2 * BUFFER;
  int rows = LEAST(TILE, s->rows - tile * TILE), n = 0;
  while (b_reply[tile % 2] != 1)
    ;
  for (; n + 16 <= s->columns; n += 16) add_rows(a, b + n, sums + n, rows, s->columns);
  for (; n < s->columns; ++n)
    for (int k = 0; k < rows; ++k) sums[n] += a[k] * b[k * s->columns + n];
}

/* The sums of some columns over all shares, into C. */
static void add_partial_sums(const Parameters* p) {
  int column = _MYID * MY_SUMS, columns = LEAST(MY_SUMS, N - column);
  if (columns <= 0) return;
  int pitch = LEAST(MY_SUMS, PITCH - column);
  reply = 0;
  athread_get(PE_MODE, p->partial + column, tiles, SHARES * pitch * 4, (void*)&reply, 0,
              (PITCH - pitch) * 4, pitch * 4);
  while (reply != 1)
    ;
  for (int n = 0; n < pitch; n += 4) {
    floatv4 sum, other, zero = simd_set_floatv4(0, 0, 0, 0);
    simd_load(sum, tiles + n);
    for (int share = 1; share < SHARES; ++share) {
      simd_load(other, tiles + share * pitch + n);
      sum = simd_vadds(sum, other);
    }
    if (RELU) sum = simd_vsellt(sum, zero, sum);
    simd_store(sum, tiles + n);
  }
  reply = 0;
  athread_put(PE_MODE, tiles, p->C + column, columns * 4, (void*)&reply, 0, 0);
  while (reply != 1)
    ;
}

static void put_sums(float* to, int columns) {
  reply = 0;
  athread_put(PE_MODE, sums, to, columns * 4, (void*)&reply, 0, 0);
  while (reply != 1)
    ;
}

void matmul(Parameters* shared) {
  Parameters p = *shared;
  int part = _MYID % PARTS, share = _MYID / PARTS, column = part * COLUMNS;
  Share s = {p.B, share * SHARE, LEAST(SHARE, K - share * SHARE), LEAST(COLUMNS, N - column)};
  s.B += (long)s.first * N + column;
  for (int n = 0; n < WHOLE(COLUMNS, 32) * 32; ++n) sums[n] = 0;
  if (s.columns > 0) {
    int count = s.rows > 0 ? WHOLE(s.rows, TILE) : 0;
    if (count > 0) {
      start_tile(&s, 0);
      a_reply = 0;
      athread_get(PE_MODE, (void*)(p.A + s.first), a_part, s.rows * 4, (void*)&a_reply, 0, 0, 0);
      while (a_reply != 1)
        ;
    }
    for (int tile = 0; tile < count; ++tile) {
      if (tile + 1 < count) start_tile(&s, tile + 1);
      add_tile(&s, tile);
    }
    put_sums(p.partial + share * PITCH + column, PARTS == 1 ? PITCH : s.columns);
  }
  athread_syn(ARRAY_SCOPE, 0xffff);
  add_partial_sums(&p);
}

#endif
