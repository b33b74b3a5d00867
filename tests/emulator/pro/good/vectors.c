#include "cpe.h"

__thread_local double doubles[16] __attribute__((aligned(64)));
__thread_local float floats[8][8] __attribute__((aligned(64)));
__thread_local float out[64];

/* The masks of the public swops kernels: eight rows of eight floats, transposed. */
static void transpose(floatv8 r[8]) {
  const intv16 low = {0x8628C020, 0x6AD0A49C, 0xBD8E}, high = {0x96ACE128, 0xEEF1ACDE, 0xFF9E};
  const intv16 low2 = {0xA3018820, 0x4398A49C, 0xBDAB}, high2 = {0xB385A928, 0xC7B9ACDE, 0xFFBB};
  const intv16 low4 = {0x8A418820, 0x49CA3039, 0xBDAB}, high4 = {0x9AC5A928, 0xCDEB387B, 0xFFBB};
  floatv8 b[8], c[8];
  for (int i = 0; i < 4; ++i) {
    b[2 * i] = simd_vshfs(r[2 * i], r[2 * i + 1], low);
    b[2 * i + 1] = simd_vshfs(r[2 * i], r[2 * i + 1], high);
  }
  for (int half = 0; half < 2; ++half)
    for (int i = 0; i < 2; ++i) {
      c[4 * half + 2 * i] = simd_vshfs(b[4 * half + i], b[4 * half + i + 2], low2);
      c[4 * half + 2 * i + 1] = simd_vshfs(b[4 * half + i], b[4 * half + i + 2], high2);
    }
  for (int i = 0; i < 4; ++i) {
    r[2 * i] = simd_vshfs(c[i], c[4 + i], low4);
    r[2 * i + 1] = simd_vshfs(c[i], c[4 + i], high4);
  }
}

static void check_doubles(void) {
  doublev8 a, b, sum;
  for (int i = 0; i < 16; ++i) doubles[i] = i + 1;
  simd_load(a, doubles);
  simd_loadu(b, doubles + 3);
  REQUIRE(b[7] == 11);
  simd_loade(b, doubles + 1);
  sum = simd_vmad(a, b, simd_vcpyfd(0.5));
  REQUIRE(sum[0] == 2.5 && sum[7] == 16.5);
  sum = simd_vsubd(simd_vmuld(a, b), simd_vaddd(a, a));
  REQUIRE(sum[4] == 0);
  sum = simd_vnmad(a, b, simd_vcpyfd(1));
  REQUIRE(sum[2] == -5);
  REQUIRE(simd_reduc_plusd(a) == 36);
  REQUIRE(simd_vfrecpd(b)[3] == 0.5 && simd_vsqrtd(simd_vmuld(a, a))[6] == 7);
  sum = simd_vsellt(simd_vsubd(a, simd_vcpyfd(4)), a, b);
  REQUIRE(sum[0] == 1 && sum[7] == 2);
  simd_store(sum, doubles + 8);
  REQUIRE(doubles[8] == 1 && doubles[15] == 2);
  doublev4 narrow;
  simd_load(narrow, doubles + 4);
  REQUIRE(simd_vmad(narrow, narrow, narrow)[0] == 30 && simd_vshff(narrow, narrow, 0)[2] == 5);
}

void work(Parameters *p) {
  floatv8 rows[8];
  check_doubles();
  for (int i = 0; i < 64; ++i) floats[i / 8][i % 8] = (float)i;
  for (int i = 0; i < 8; ++i) simd_load(rows[i], floats[i]);
  transpose(rows);
  for (int i = 0; i < 64; ++i) REQUIRE(rows[i / 8][i % 8] == (float)(i % 8 * 8 + i / 8));
  rows[0] = simd_vmas(rows[1], rows[1], simd_set_floatv8(1, 2, 3, 4, 5, 6, 7, 8));
  REQUIRE(simd_reduc_pluss(rows[0]) > 0);
  for (int i = 0; i < 8; ++i) simd_storeu(rows[i], out + 8 * i);
  athread_dma_put(p->y + _MYID * 64, out, sizeof out);
}
