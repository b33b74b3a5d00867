/* Vectors of 512 bits, and what is the same for both widths. Included by simd.h. */
#ifndef SOLWAY_SW26010PRO_SIMD_512_H
#define SOLWAY_SW26010PRO_SIMD_512_H

#define SOLWAY_INLINE static inline __attribute__((always_inline, unused))

/* A float has a lane of 64 bits in a register, and 4 bytes in memory. */
typedef float floatv8 __attribute__((vector_size(32)));
typedef double doublev8 __attribute__((vector_size(64)));
typedef int intv16 __attribute__((vector_size(64)));
typedef unsigned uintv16 __attribute__((vector_size(64)));
typedef long int512 __attribute__((vector_size(64)));
typedef unsigned long uint512 __attribute__((vector_size(64)));
typedef struct {
} float16v32 __attribute__((unavailable("float16v32 is not emulated yet")));

typedef floatv8 __solway_unaligned_floatv8 __attribute__((aligned(4)));
typedef doublev8 __solway_unaligned_doublev8 __attribute__((aligned(8)));
typedef intv16 __solway_unaligned_intv16 __attribute__((aligned(4)));
typedef uintv16 __solway_unaligned_uintv16 __attribute__((aligned(4)));
typedef int512 __solway_unaligned_int512 __attribute__((aligned(8)));
typedef uint512 __solway_unaligned_uint512 __attribute__((aligned(8)));

#undef __solway_unaligned_vector_at
#define __solway_unaligned_vector_at(v, address)                   \
  _Generic((v),                                                    \
      floatv4: (__solway_unaligned_floatv4 *)(void *)(address),    \
      doublev4: (__solway_unaligned_doublev4 *)(void *)(address),  \
      intv8: (__solway_unaligned_intv8 *)(void *)(address),        \
      uintv8: (__solway_unaligned_uintv8 *)(void *)(address),      \
      int256: (__solway_unaligned_int256 *)(void *)(address),      \
      uint256: (__solway_unaligned_uint256 *)(void *)(address),    \
      floatv8: (__solway_unaligned_floatv8 *)(void *)(address),    \
      doublev8: (__solway_unaligned_doublev8 *)(void *)(address),  \
      intv16: (__solway_unaligned_intv16 *)(void *)(address),      \
      uintv16: (__solway_unaligned_uintv16 *)(void *)(address),    \
      int512: (__solway_unaligned_int512 *)(void *)(address),      \
      uint512: (__solway_unaligned_uint512 *)(void *)(address))

#undef simd_loade
#define simd_loade(v, address)                                                     \
  ((v) = _Generic((v),                                                             \
       floatv4: __solway_splat_floatv4((const float *)(const void *)(address)),    \
       doublev4: __solway_splat_doublev4((const double *)(const void *)(address)), \
       intv8: __solway_splat_intv8((const int *)(const void *)(address)),          \
       floatv8: simd_vcpyfs(*(const float *)(const void *)(address)),              \
       doublev8: simd_vcpyfd(*(const double *)(const void *)(address)),            \
       intv16: __solway_splat_intv16((const int *)(const void *)(address))))

/* One number in all lanes. */
SOLWAY_INLINE floatv8 simd_vcpyfs(float x) { return (floatv8){x, x, x, x, x, x, x, x}; }
SOLWAY_INLINE doublev8 simd_vcpyfd(double x) { return (doublev8){x, x, x, x, x, x, x, x}; }
SOLWAY_INLINE intv16 __solway_splat_intv16(const int *p) { return (intv16){} + *p; }

SOLWAY_INLINE floatv8 simd_set_floatv8(float a, float b, float c, float d, float e, float f,
                                       float g, float h) {
  return (floatv8){a, b, c, d, e, f, g, h};
}
SOLWAY_INLINE doublev8 simd_set_doublev8(double a, double b, double c, double d, double e,
                                         double f, double g, double h) {
  return (doublev8){a, b, c, d, e, f, g, h};
}

/* Of both widths. */
#define simd_vmad(a, b, c) __builtin_elementwise_fma(a, b, c)
#define simd_vmsd(a, b, c) __builtin_elementwise_fma(a, b, -(c))
#define simd_vnmad(a, b, c) __builtin_elementwise_fma(-(a), b, c)
#define simd_vnmsd(a, b, c) __builtin_elementwise_fma(-(a), b, -(c))
#define simd_vaddd(a, b) ((a) + (b))
#define simd_vsubd(a, b) ((a) - (b))
#define simd_vmuld(a, b) ((a) * (b))
#define simd_vdivd(a, b) ((a) / (b))
#define simd_vsqrtd(a) __builtin_elementwise_sqrt(a)
#define simd_vabsd(a) __builtin_elementwise_abs(a)
#define simd_vmas(a, b, c) simd_vmad(a, b, c)
#define simd_vmss(a, b, c) simd_vmsd(a, b, c)
#define simd_vnmas(a, b, c) simd_vnmad(a, b, c)
#define simd_vnmss(a, b, c) simd_vnmsd(a, b, c)
#define simd_vadds(a, b) ((a) + (b))
#define simd_vsubs(a, b) ((a) - (b))
#define simd_vmuls(a, b) ((a) * (b))
#define simd_vdivs(a, b) ((a) / (b))
#define simd_vsqrts(a) __builtin_elementwise_sqrt(a)
#define simd_vabss(a) __builtin_elementwise_abs(a)
/* 1 / a, rounded once; how exact the machine's is, no public source says. */
#define simd_vfrecpd(a) (1.0 / (a))
#define simd_vfrecps(a) (1.0f / (a))

/* Comparisons, choices and signs of eight lanes, as of four. */
typedef int __solway_bits_floatv8 __attribute__((vector_size(32)));
typedef long __solway_bits_doublev8 __attribute__((vector_size(64)));
SOLWAY_LANES(floatv8, SOLWAY_FLOAT_SIGN, SOLWAY_FLOAT_FRACTION)
SOLWAY_LANES(doublev8, SOLWAY_DOUBLE_SIGN, SOLWAY_DOUBLE_FRACTION)
#undef __solway_by_type
#define __solway_by_type(op, v)       \
  _Generic((v),                       \
      floatv4: __solway_##op##_floatv4,   \
      doublev4: __solway_##op##_doublev4, \
      floatv8: __solway_##op##_floatv8,   \
      doublev8: __solway_##op##_doublev8)

/* The sum of the lanes, of neighbours first; in which order the machine adds is not published. */
SOLWAY_INLINE double simd_reduc_plusd(doublev8 v) {
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}
SOLWAY_INLINE float simd_reduc_pluss(floatv8 v) {
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

/* Word i of the result is the word of a, b that the i-th 5 bits of the mask number: 0 to 15 of a,
   16 to 31 of b. A float is two words and is moved as a whole. */
SOLWAY_INLINE floatv8 simd_vshfs(floatv8 a, floatv8 b, intv16 mask) {
  unsigned __int128 bits = (unsigned)mask[2];
  bits = bits << 32 | (unsigned)mask[1];
  bits = bits << 32 | (unsigned)mask[0];
  floatv8 out = {};
  for (int lane = 0; lane < 8; ++lane, bits >>= 10) {
    const int word = (int)(bits & 31);
    out[lane] = word < 16 ? a[word / 2] : b[word / 2 - 8];
  }
  return out;
}

#undef SOLWAY_INLINE

#endif
