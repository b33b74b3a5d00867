#include <simd.h>
#include <slave.h>

#define ROUNDS 4000 /* vectors; a loop has 8 */

static unsigned long cycles(void) {
  unsigned long now;
  asm volatile("rcsr %0,4" : "=r"(now));
  return now;
}

static doublev4 there_and_back(doublev4 v, int id) {
  if (id == 0) {
    for (int k = 0; k < ROUNDS; ++k) {
      simd_putr(v, 1);
      simd_getr(v);
    }
  } else if (id == 1) {
    for (int k = 0; k < ROUNDS; ++k) {
      simd_getr(v);
      simd_putr(v, 0);
    }
  }
  return v;
}

static doublev4 send(doublev4 v, int to, int rounds) {
  for (int k = 0; k < rounds; k += 8) {
    simd_putr(v, to);
    simd_putr(v, to);
    simd_putr(v, to);
    simd_putr(v, to);
    simd_putr(v, to);
    simd_putr(v, to);
    simd_putr(v, to);
    simd_putr(v, to);
  }
  return v;
}

static doublev4 receive(doublev4 v, int rounds) {
  for (int k = 0; k < rounds; k += 8) {
    simd_getr(v);
    simd_getr(v);
    simd_getr(v);
    simd_getr(v);
    simd_getr(v);
    simd_getr(v);
    simd_getr(v);
    simd_getr(v);
  }
  return v;
}

void work(long* taken) {
  int id = athread_get_id(-1);
  int column = id % 8;
  doublev4 v = simd_set_doublev4(id, id, id, id);
  unsigned long begin;

  athread_syn(ARRAY_SCOPE, 0xffff);
  begin = cycles();
  v = there_and_back(v, id);
  taken[id] = cycles() - begin;

  /* Once before, so that the code is in the instruction cache. */
  v = column % 2 == 0 ? send(v, column + 1, 8) : receive(v, 8);
  athread_syn(ARRAY_SCOPE, 0xffff);
  begin = cycles();
  v = column % 2 == 0 ? send(v, column + 1, ROUNDS) : receive(v, ROUNDS);
  taken[64 + id] = cycles() - begin;

  athread_syn(ARRAY_SCOPE, 0xffff);
  begin = cycles();
  v = column == 0 ? send(v, 8, ROUNDS) : receive(v, ROUNDS);
  taken[128 + id] = cycles() - begin;

  if (simd_vextf0(v) < 0) taken[id] = -1; /* so that what was received is used */
}
