/* Loops whose time is published by what they do, and the inner loop of a matrix product. */
#include <simd.h>
#include <slave.h>

#define STEPS 1000

__thread_local double factor[4] __attribute__((aligned(32)));
__thread_local double left[STEPS / 8 + 2][16] __attribute__((aligned(32)));
__thread_local double right[STEPS / 8 + 2][4] __attribute__((aligned(32)));
__thread_local double product[16][4] __attribute__((aligned(32)));
__thread_local long next[8];

static unsigned long cycles(void) {
  unsigned long now;
  asm volatile("rcsr %0,4" : "=r"(now));
  return now;
}

/* Each product needs the one before. */
static doublev4 dependent(doublev4 v, doublev4 a) {
  for (int k = 0; k < STEPS; ++k) v = simd_vmad(v, a, a);
  return v;
}

/* Eight products that do not need each other. */
static doublev4 independent(doublev4 v, doublev4 a) {
  doublev4 b = v + a, c = b + a, d = c + a, e = d + a, f = e + a, g = f + a, h = g + a;
  for (int k = 0; k < STEPS; k += 8) {
    v = simd_vmad(v, a, a);
    b = simd_vmad(b, a, a);
    c = simd_vmad(c, a, a);
    d = simd_vmad(d, a, a);
    e = simd_vmad(e, a, a);
    f = simd_vmad(f, a, a);
    g = simd_vmad(g, a, a);
    h = simd_vmad(h, a, a);
  }
  return v + b + c + d + e + f + g + h;
}

/* Each address is what was loaded before. */
static long chase(long at) {
  for (int k = 0; k < STEPS; ++k) at = *(long*)at;
  return at;
}

static long multiply(long v, long by) {
  for (int k = 0; k < STEPS; ++k) v = v * by + by;
  return v;
}

/* 16 rows and 4 columns of a product: a step has 16 vector products for 4 vectors of the left
 * factor and 4 numbers of the right one. */
#define COLUMN(c, b)             \
  c##0 = simd_vmad(a0, b, c##0); \
  c##1 = simd_vmad(a1, b, c##1); \
  c##2 = simd_vmad(a2, b, c##2); \
  c##3 = simd_vmad(a3, b, c##3)
#define STORE(c, n)                 \
  simd_store(c##0, product[n]);     \
  simd_store(c##1, product[n + 1]); \
  simd_store(c##2, product[n + 2]); \
  simd_store(c##3, product[n + 3])

static void block(int steps) {
  doublev4 zero = simd_set_doublev4(0, 0, 0, 0), a0, a1, a2, a3;
  doublev4 b0, b1, b2, b3;
  doublev4 c0 = zero, c1 = zero, c2 = zero, c3 = zero, d0 = zero, d1 = zero, d2 = zero, d3 = zero;
  doublev4 e0 = zero, e1 = zero, e2 = zero, e3 = zero, f0 = zero, f1 = zero, f2 = zero, f3 = zero;
  for (int k = 0; k < steps; ++k) {
    simd_load(a0, left[k]);
    simd_load(a1, left[k] + 4);
    simd_load(a2, left[k] + 8);
    simd_load(a3, left[k] + 12);
    simd_loade(b0, right[k]);
    simd_loade(b1, right[k] + 1);
    simd_loade(b2, right[k] + 2);
    simd_loade(b3, right[k] + 3);
    COLUMN(c, b0);
    COLUMN(d, b1);
    COLUMN(e, b2);
    COLUMN(f, b3);
  }
  STORE(c, 0);
  STORE(d, 4);
  STORE(e, 8);
  STORE(f, 12);
}

/* The same with its instructions in an order of our own: block.S. */
void block_by_hand(const double* left, const double* right, double* product, int steps);

void work(long* taken) {
  doublev4 v, a;
  long at, number;
  unsigned long begin;
  for (int k = 0; k < 4; ++k) factor[k] = 0.5;
  for (int k = 0; k < 8; ++k) next[k] = (long)&next[(k + 3) % 8];
  for (int k = 0; k <= STEPS / 8 + 1; ++k) {
    for (int n = 0; n < 16; ++n) left[k][n] = n;
    for (int n = 0; n < 4; ++n) right[k][n] = n;
  }
  simd_load(a, factor);
  v = a;

  begin = cycles();
  v = dependent(v, a);
  taken[0] = cycles() - begin;

  begin = cycles();
  v = independent(v, a);
  taken[1] = cycles() - begin;
  simd_store(v, factor);

  begin = cycles();
  at = chase(next[0]);
  taken[2] = cycles() - begin;

  begin = cycles();
  number = multiply(at, next[1]);
  taken[3] = cycles() - begin;
  next[0] = number;

  /* Less a step and what is around the steps: the code is in the instruction cache then. */
  block(1);
  begin = cycles();
  block(1);
  taken[4] = begin - cycles();
  begin = cycles();
  block(STEPS / 8 + 1);
  taken[4] += cycles() - begin;
  at = 0;
  for (int n = 0; n < 16; ++n)
    for (int k = 0; k < 4; ++k) at += product[n][k] * (n + k);

  block_by_hand(left[0], right[0], product[0], 1);
  begin = cycles();
  block_by_hand(left[0], right[0], product[0], 1);
  taken[5] = begin - cycles();
  begin = cycles();
  block_by_hand(left[0], right[0], product[0], STEPS / 8 + 1);
  taken[5] += cycles() - begin;
  for (int n = 0; n < 16; ++n)
    for (int k = 0; k < 4; ++k) at -= product[n][k] * (n + k);
  if (at != 0) taken[5] = -1; /* the products differ */
}
