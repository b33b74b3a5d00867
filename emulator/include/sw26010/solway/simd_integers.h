/* Vectors of integers: arithmetic, bits, shifts. Included by simd.h. There is no integer product. */
#ifndef SOLWAY_SW26010_SIMD_INTEGERS_H
#define SOLWAY_SW26010_SIMD_INTEGERS_H

#define SOLWAY_INLINE static inline __attribute__((always_inline, unused))

/* They wrap around. */
SOLWAY_INLINE intv8 simd_vaddw(intv8 a, intv8 b) { return (intv8)((uintv8)a + (uintv8)b); }
SOLWAY_INLINE intv8 simd_vsubw(intv8 a, intv8 b) { return (intv8)((uintv8)a - (uintv8)b); }
SOLWAY_INLINE int256 simd_vaddl(int256 a, int256 b) { return (int256)((uint256)a + (uint256)b); }
SOLWAY_INLINE int256 simd_vsubl(int256 a, int256 b) { return (int256)((uint256)a - (uint256)b); }

SOLWAY_INLINE intv8 simd_vandw(intv8 a, intv8 b) { return a & b; }
SOLWAY_INLINE intv8 simd_vbicw(intv8 a, intv8 b) { return a & ~b; }
SOLWAY_INLINE intv8 simd_vbisw(intv8 a, intv8 b) { return a | b; }
SOLWAY_INLINE intv8 simd_vornotw(intv8 a, intv8 b) { return a | ~b; }
SOLWAY_INLINE intv8 simd_vxorw(intv8 a, intv8 b) { return a ^ b; }
SOLWAY_INLINE intv8 simd_veqvw(intv8 a, intv8 b) { return ~(a ^ b); }

/* Words by the lowest 5 bits of n; left, logically right, arithmetically right, around. */
SOLWAY_INLINE intv8 simd_vsllw(intv8 v, int n) { return (intv8)((uintv8)v << (unsigned)(n & 31)); }
SOLWAY_INLINE intv8 simd_vsrlw(intv8 v, int n) { return (intv8)((uintv8)v >> (unsigned)(n & 31)); }
SOLWAY_INLINE intv8 simd_vsraw(intv8 v, int n) { return v >> (n & 31); }
SOLWAY_INLINE intv8 simd_vrolw(intv8 v, int n) {
  return (intv8)(((uintv8)v << (unsigned)(n & 31)) | ((uintv8)v >> (unsigned)(-n & 31)));
}

/* All 256 bits as one number, by the lowest 8 bits of n. */
SOLWAY_INLINE int256 simd_sllow(int256 v, int n) {
  const int lanes = (n & 255) >> 6, bits = n & 63;
  uint256 out = {};
  for (int i = lanes; i < 4; ++i) {
    out[i] = (unsigned long)v[i - lanes] << bits;
    if (bits != 0 && i > lanes) out[i] |= (unsigned long)v[i - lanes - 1] >> (64 - bits);
  }
  return (int256)out;
}
SOLWAY_INLINE int256 simd_srlow(int256 v, int n) {
  const int lanes = (n & 255) >> 6, bits = n & 63;
  uint256 out = {};
  for (int i = 0; i + lanes < 4; ++i) {
    out[i] = (unsigned long)v[i + lanes] >> bits;
    if (bits != 0 && i + lanes < 3) out[i] |= (unsigned long)v[i + lanes + 1] << (64 - bits);
  }
  return (int256)out;
}

#undef SOLWAY_INLINE

#endif
