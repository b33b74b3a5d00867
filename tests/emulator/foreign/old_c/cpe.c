/* C of many years: parameters declared apart, goto into a switch, bit fields, alloca, qsort. */
#include "slave.h"
#include <string.h>
#include <stdlib.h>
struct para { int *x, *y; int n; };
typedef struct { unsigned a:3, b:5, c:24; } bits_t;
static const int weights[4] = {1, -2, 3, -4};
__thread_local int total;
__thread_local char scratch[256];
__thread_local volatile int reply[2];
static int fib(n) int n; { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int *next_buffer(int n) {
  static __thread_local int used = 0;
  static __thread_local int pool[512];
  int *at = pool + used;
  used += n;
  return at;
}
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void func(struct para *pp)
{
  struct para p;
  int id = athread_get_id(-1), i;
  reply[0] = reply[1] = 0;
  athread_get(PE_MODE, pp, &p, sizeof(p), (void *)&reply[0], 0, 0, 0);
  while (reply[0] < 1) continue;
  int per = p.n / 32;
  int *buf = next_buffer(per), *out = next_buffer(per);
  athread_get(PE_MODE, p.x + id * per, buf, per * sizeof(int), (void *)&reply[0], 0, 0, 0);
  do { } while (reply[0] != 2);
  int tmp[per];
  int *more = __builtin_alloca(per * sizeof(int));
  memcpy(tmp, buf, per * sizeof(int));
  qsort(tmp, per, sizeof(int), cmp);
  bits_t b;
  for (i = 0; i < per; i++) {
    b.a = tmp[i]; b.b = tmp[i] >> 3; b.c = tmp[i] >> 8;
    switch (i & 3) {
      case 0: more[i] = b.a + weights[0]; break;
      case 1: more[i] = b.b + weights[1]; break;
      case 2: if (b.c > 5) goto odd; more[i] = 7; break;
      default: odd: more[i] = (int)b.c * weights[i & 3] + fib(5);
    }
  }
  memset(scratch, 0, sizeof scratch);
  athread_syn(ARRAY_SCOPE, 0x0fff);
  for (i = 0; i < per; i++) out[i] = more[i] + scratch[i];
  athread_put(PE_MODE, out, p.y + id * per, per * 4, (void *)&reply[1], 0, 0);
  for (;;) if (reply[1] == 1) break;
}
