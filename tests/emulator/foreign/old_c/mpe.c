#include "athread.h"
#include <math.h>
#include <stdio.h>
#include <sys/time.h>
#define N 2048
extern SLAVE_FUN(func)();
static inline unsigned long rpcc() { unsigned long t; asm volatile("rtc %0" : "=r"(t)); return t; }
int entry(x, y) int *x; int *y;
{
  unsigned long t0 = rpcc();
  struct { int *x, *y; int n; } p;
  p.x = x; p.y = y; p.n = N;
  athread_init();
  athread_set_num_threads(32);
  athread_spawn(func, &p);
  athread_join();
  printf("%lu cycles\n", rpcc() - t0);
  return rpcc() < t0;
}
