/* Main memory bounds it: 12 bytes are moved for 3 operations.
 *
 * A CPE has one part of the elements, in whole transactions of 128 bytes, and goes through it in
 * tiles of 4 KB per array. The two gets of a tile are in flight while the tile before is computed,
 * and its put until its half of the LDM is needed again: at most three requests at a time. */
#include "elementwise.h"
#include "simd.h"
#include "slave.h"

#define CPES 64
#define TRANSACTION 32 /* elements */
#define TILE 1024
#define PART (((N + CPES - 1) / CPES + TRANSACTION - 1) / TRANSACTION * TRANSACTION)

__thread_local volatile int get_reply[2], put_reply[2];
__thread_local float x[2][TILE] __attribute__((aligned(32)));
__thread_local float z[2][TILE] __attribute__((aligned(32)));

static int least(int a, int b) { return a < b ? a : b; }

static void start_get(const Parameters* p, int at, int count, int half) {
  get_reply[half] = 0;
  athread_get(PE_MODE, (void*)(p->X + at), x[half], count * 4, (void*)&get_reply[half], 0, 0, 0);
  athread_get(PE_MODE, (void*)(p->Z + at), z[half], count * 4, (void*)&get_reply[half], 0, 0, 0);
}

static void start_put(const Parameters* p, int at, int count, int half) {
  put_reply[half] = 0;
  athread_put(PE_MODE, z[half], p->Y + at, count * 4, (void*)&put_reply[half], 0, 0);
}

static floatv4 positive(floatv4 v) {
  floatv4 zero = simd_set_floatv4(0, 0, 0, 0);
  return simd_vselle(v, zero, v);
}

/* The result takes the place of z. */
static void compute(float* from, float* to, int count, float scale) {
  floatv4 factor, x0, x1, x2, x3, z0, z1, z2, z3;
  simd_loade(factor, &scale);
  int i = 0;
  for (; i + 16 <= count; i += 16) {
    simd_load(x0, from + i);
    simd_load(x1, from + i + 4);
    simd_load(x2, from + i + 8);
    simd_load(x3, from + i + 12);
    simd_load(z0, to + i);
    simd_load(z1, to + i + 4);
    simd_load(z2, to + i + 8);
    simd_load(z3, to + i + 12);
    simd_store(positive(simd_vmas(x0, factor, z0)), to + i);
    simd_store(positive(simd_vmas(x1, factor, z1)), to + i + 4);
    simd_store(positive(simd_vmas(x2, factor, z2)), to + i + 8);
    simd_store(positive(simd_vmas(x3, factor, z3)), to + i + 12);
  }
  for (; i < count; ++i) {
    float sum = __builtin_fmaf(from[i], scale, to[i]);
    to[i] = sum > 0 ? sum : 0;
  }
}

void elementwise(Parameters* shared) {
  Parameters p = *shared;
  int begin = athread_get_id(-1) * PART;
  int end = least(begin + PART, N);
  if (begin >= end) return;
  start_get(&p, begin, least(TILE, end - begin), 0);
  for (int at = begin, half = 0; at < end; at += TILE, half = 1 - half) {
    int next = at + TILE, other = 1 - half;
    if (next < end) {
      if (at > begin)
        while (put_reply[other] != 1)
          ;
      start_get(&p, next, least(TILE, end - next), other);
    }
    while (get_reply[half] != 2)
      ;
    compute(x[half], z[half], least(TILE, end - at), p.scale);
    start_put(&p, at, least(TILE, end - at), half);
  }
  while (put_reply[0] != 1)
    ;
  if (end - begin > TILE)
    while (put_reply[1] != 1)
      ;
}
