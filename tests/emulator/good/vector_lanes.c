#include "cpe.h"

/* What simd.h says of lanes, against the same in scalars. */
#define FLOATS(v, i, expected) REQUIRE((v)[i] == (float)(expected))

static void compare_and_choose(float x) {
  const floatv4 a = simd_set_floatv4(-x, 0, 1, x), b = simd_set_floatv4(1, 0, -1, x);
  const floatv4 less = simd_vfcmplt(a, b), equal = simd_vfcmpeq(a, b), most = simd_vfcmple(a, b);
  const floatv4 chosen = simd_vsellt(a, b, -a), kept = simd_vseleq(less, a, b);
  const floatv4 low = simd_vselle(a, a, b);
  for (int i = 0; i < 4; ++i) {
    FLOATS(less, i, a[i] < b[i] ? 2 : 0);
    FLOATS(equal, i, a[i] == b[i] ? 2 : 0);
    FLOATS(most, i, a[i] <= b[i] ? 2 : 0);
    FLOATS(chosen, i, a[i] < 0 ? b[i] : -a[i]);
    FLOATS(kept, i, a[i] < b[i] ? b[i] : a[i]);
    FLOATS(low, i, a[i] <= 0 ? a[i] : b[i]);
  }
  const double nan = (x - x) / (x - x);
  const doublev4 c = simd_set_doublev4(nan, 1, x, 0), d = simd_set_doublev4(1, 1, nan, 0);
  const doublev4 unordered = simd_vfcmpun(c, d);
  REQUIRE(unordered[0] == 2 && unordered[1] == 0 && unordered[2] == 2 && unordered[3] == 0);
  const doublev4 ordered = simd_vsellt(c, d, simd_set_doublev4(5, 6, 7, 8));
  REQUIRE(ordered[0] == 5 && ordered[1] == 6 && ordered[3] == 8); /* NaN and 0 are not below 0 */
}

static void signs(float x) {
  const floatv4 a = simd_set_floatv4(-x, x, -1, 1), b = simd_set_floatv4(3, -3, 0.75f, -0.75f);
  const floatv4 same = simd_vcpys(a, b), other = simd_vcpysn(a, b), power = simd_vcpyse(a, b);
  FLOATS(same, 0, -3);
  FLOATS(same, 1, 3);
  FLOATS(other, 0, 3);
  FLOATS(other, 3, -0.75);
  FLOATS(power, 2, -1.5); /* the fraction of 0.75 is 1.5 */
  FLOATS(power, 3, 1.5);
  const doublev4 e = simd_vcpyse(simd_set_doublev4(-8, 8, -1, 1), simd_set_doublev4(3, -3, 5, 1));
  REQUIRE(e[0] == -12 && e[1] == 12 && e[2] == -1.25 && e[3] == 1);
  REQUIRE(simd_vabsd(e)[0] == 12 && simd_vabss(a)[0] == x);
}

static void shuffles(int mask) {
  const doublev4 a = simd_set_doublev4(0, 1, 2, 3), b = simd_set_doublev4(10, 11, 12, 13);
  const doublev4 fixed = simd_vshff(a, b, 0x78), chosen = simd_vshff(a, b, mask);
  REQUIRE(fixed[0] == 10 && fixed[1] == 12 && fixed[2] == 3 && fixed[3] == 1);
  for (int i = 0; i < 4; ++i) REQUIRE(chosen[i] == (i < 2 ? 10 : 0) + (mask >> 2 * i & 3));
  const floatv4 f = simd_vshff(simd_set_floatv4(0, 1, 2, 3), simd_set_floatv4(4, 5, 6, 7), mask);
  for (int i = 0; i < 4; ++i) FLOATS(f, i, (i < 2 ? 4 : 0) + (mask >> 2 * i & 3));
  const intv8 v = simd_set_intv8(0, 1, 2, 3, 4, 5, 6, 7), w = v + 10;
  const intv8 words = simd_vshff(v, w, 0x12345670);
  const int expected[] = {10, 17, 16, 15, 4, 3, 2, 1};
  for (int i = 0; i < 8; ++i) REQUIRE(words[i] == expected[i]);
  REQUIRE(simd_vcpyf(b)[3] == 10 && simd_vextw5(v) == 5 && simd_vextf2(a) == 2);
  const doublev4 one = simd_vinsf1(7.0, b);
  const intv8 word = simd_vinsw6(99, v);
  REQUIRE(one[1] == 7 && one[2] == 12 && b[1] == 11 && word[6] == 99 && word[5] == 5);
}

static void integers(int n) {
  const intv8 v = simd_set_intv8(1, -1, 0x7fffffff, -0x7fffffff - 1, 12, -12, n, 0);
  const intv8 w = simd_set_intv8(3, 5, 1, -1, 0xff, 0xff, n, -1);
  const intv8 sum = simd_vaddw(v, w), left = simd_vsllw(v, n), right = simd_vsrlw(v, n);
  const intv8 signed_right = simd_vsraw(v, n), around = simd_vrolw(v, n);
  for (int i = 0; i < 8; ++i) {
    const unsigned x = (unsigned)v[i], y = (unsigned)w[i];
    REQUIRE((unsigned)sum[i] == x + y && (unsigned)left[i] == x << n && right[i] == (int)(x >> n));
    REQUIRE(signed_right[i] == v[i] >> n && (unsigned)around[i] == (x << n | x >> (32 - n)));
    REQUIRE((unsigned)simd_vbicw(v, w)[i] == (x & ~y) && (unsigned)simd_vornotw(v, w)[i] == (x | ~y));
    REQUIRE((unsigned)simd_veqvw(v, w)[i] == ~(x ^ y) && (unsigned)simd_vbisw(v, w)[i] == (x | y));
  }
  const int256 wide = simd_set_int256(0x0123456789abcdef, -1, 0, 0x7000000000000001);
  for (int by = 0; by < 256; by += n) {
    const int256 up = simd_sllow(wide, by), down = simd_srlow(wide, by);
    for (int bit = 0; bit < 256; ++bit) { /* each bit is where it was, moved */
      const int above = bit + by, below = bit - by;
      const long high = above < 256 ? wide[above >> 6] >> (above & 63) & 1 : 0;
      const long low = below >= 0 ? wide[below >> 6] >> (below & 63) & 1 : 0;
      REQUIRE((down[bit >> 6] >> (bit & 63) & 1) == high && (up[bit >> 6] >> (bit & 63) & 1) == low);
    }
  }
  REQUIRE(simd_vaddl(wide, wide)[1] == -2 && simd_vsubl(wide, wide)[3] == 0);
}

static __thread_local __attribute__((aligned(32))) long lanes[8];

void work(Parameters *p) {
  if (_MYID != 0) {
    if (_ROW == 0 && _COL == 1) {
      int256 v;
      simd_getr(v);
      REQUIRE(v[0] == 1 && v[3] == 4);
    }
    return;
  }
  const int three = (int)p->x[0] + 1;
  compare_and_choose(p->x[0]);
  signs(p->x[0]);
  shuffles(three * 0x1b);
  integers(three);
  for (int i = 0; i < 8; ++i) lanes[i] = i;
  int256 v;
  simd_loadu(v, lanes + 1);
  simd_putr(v, 1);
  simd_store(v, lanes);
  p->y[0] = (float)lanes[3];
}
