#include <simd.h>
#include <slave.h>

#define ELEMENTS 1048576
#define MINE (ELEMENTS / 64)
#define TILE 2048

struct job {
  double *a, *b, *c;
  long* taken;
};

__thread_local double a[TILE] __attribute__((aligned(128)));
__thread_local double b[TILE] __attribute__((aligned(128)));
__thread_local double c[TILE] __attribute__((aligned(128)));
__thread_local volatile int got, put;

static unsigned long cycles(void) {
  unsigned long now;
  asm volatile("rcsr %0,4" : "=r"(now));
  return now;
}

void work(struct job* shared) {
  struct job job = *shared;
  int id = athread_get_id(-1);
  doublev4 three = simd_set_doublev4(3, 3, 3, 3), x, y;
  athread_syn(ARRAY_SCOPE, 0xffff);
  unsigned long begin = cycles();
  for (int tile = 0; tile < MINE; tile += TILE) {
    long at = (long)id * MINE + tile;
    got = 0;
    athread_get(PE_MODE, job.b + at, b, TILE * 8, (void*)&got, 0, 0, 0);
    athread_get(PE_MODE, job.c + at, c, TILE * 8, (void*)&got, 0, 0, 0);
    while (got != 2)
      ;
    for (int k = 0; k < TILE; k += 4) {
      simd_load(x, b + k);
      simd_load(y, c + k);
      simd_store(simd_vmad(three, y, x), a + k);
    }
    put = 0;
    athread_put(PE_MODE, a, job.a + at, TILE * 8, (void*)&put, 0, 0);
    while (put != 1)
      ;
  }
  job.taken[id] = cycles() - begin;
}
