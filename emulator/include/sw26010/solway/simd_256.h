/* Vectors of 256 bits. Included by simd.h. */
#ifndef SOLWAY_SW26010_SIMD_256_H
#define SOLWAY_SW26010_SIMD_256_H

typedef float floatv4 __attribute__((vector_size(16)));
typedef double doublev4 __attribute__((vector_size(32)));
typedef int intv8 __attribute__((vector_size(32)));
typedef unsigned uintv8 __attribute__((vector_size(32)));
typedef long int256 __attribute__((vector_size(32)));
typedef unsigned long uint256 __attribute__((vector_size(32)));

typedef floatv4 __solway_unaligned_floatv4 __attribute__((aligned(4)));
typedef doublev4 __solway_unaligned_doublev4 __attribute__((aligned(8)));
typedef intv8 __solway_unaligned_intv8 __attribute__((aligned(4)));
typedef uintv8 __solway_unaligned_uintv8 __attribute__((aligned(4)));
typedef int256 __solway_unaligned_int256 __attribute__((aligned(8)));
typedef uint256 __solway_unaligned_uint256 __attribute__((aligned(8)));

#define SOLWAY_INLINE static inline __attribute__((always_inline, unused))

/* The first argument is the vector itself, as in the machine's macros. An address that the type
   does not allow is slow on the machine, not wrong; hazard mode reports it. */
#define __solway_vector_at(v, address) ((__typeof__(v) *)(void *)(address))
#define __solway_unaligned_vector_at(v, address)                   \
  _Generic((v),                                                    \
      floatv4: (__solway_unaligned_floatv4 *)(void *)(address),    \
      doublev4: (__solway_unaligned_doublev4 *)(void *)(address),  \
      intv8: (__solway_unaligned_intv8 *)(void *)(address),        \
      uintv8: (__solway_unaligned_uintv8 *)(void *)(address),      \
      int256: (__solway_unaligned_int256 *)(void *)(address),      \
      uint256: (__solway_unaligned_uint256 *)(void *)(address))
#define simd_load(v, address) ((v) = *__solway_vector_at(v, address))
/* +(v): the type without const, which a vector that is stored may have. */
#define simd_store(v, address) (*__solway_vector_at(+(v), address) = (v))
#define simd_loadu(v, address) ((v) = *__solway_unaligned_vector_at(v, address))
#define simd_storeu(v, address) (*__solway_unaligned_vector_at(v, address) = (v))

/* One scalar in every lane. */
#define simd_loade(v, address)                                                     \
  ((v) = _Generic((v),                                                             \
       floatv4: __solway_splat_floatv4((const float *)(const void *)(address)),    \
       doublev4: __solway_splat_doublev4((const double *)(const void *)(address)), \
       intv8: __solway_splat_intv8((const int *)(const void *)(address))))

SOLWAY_INLINE floatv4 __solway_splat_floatv4(const float *p) { return (floatv4){*p, *p, *p, *p}; }
SOLWAY_INLINE doublev4 __solway_splat_doublev4(const double *p) {
  return (doublev4){*p, *p, *p, *p};
}
SOLWAY_INLINE intv8 __solway_splat_intv8(const int *p) {
  return (intv8){*p, *p, *p, *p, *p, *p, *p, *p};
}

SOLWAY_INLINE floatv4 simd_set_floatv4(float a, float b, float c, float d) {
  return (floatv4){a, b, c, d};
}
SOLWAY_INLINE doublev4 simd_set_doublev4(double a, double b, double c, double d) {
  return (doublev4){a, b, c, d};
}
SOLWAY_INLINE intv8 simd_set_intv8(int a, int b, int c, int d, int e, int f, int g, int h) {
  return (intv8){a, b, c, d, e, f, g, h};
}

SOLWAY_INLINE uintv8 simd_set_uintv8(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e,
                                     unsigned f, unsigned g, unsigned h) {
  return (uintv8){a, b, c, d, e, f, g, h};
}
SOLWAY_INLINE int256 simd_set_int256(long a, long b, long c, long d) {
  return (int256){a, b, c, d};
}
SOLWAY_INLINE uint256 simd_set_uint256(unsigned long a, unsigned long b, unsigned long c,
                                       unsigned long d) {
  return (uint256){a, b, c, d};
}

SOLWAY_INLINE doublev4 simd_vmad(doublev4 a, doublev4 b, doublev4 c) {
  return __builtin_elementwise_fma(a, b, c);
}
SOLWAY_INLINE doublev4 simd_vmsd(doublev4 a, doublev4 b, doublev4 c) {
  return __builtin_elementwise_fma(a, b, -c);
}
SOLWAY_INLINE doublev4 simd_vnmad(doublev4 a, doublev4 b, doublev4 c) {
  return __builtin_elementwise_fma(-a, b, c);
}
SOLWAY_INLINE doublev4 simd_vnmsd(doublev4 a, doublev4 b, doublev4 c) {
  return __builtin_elementwise_fma(-a, b, -c);
}
SOLWAY_INLINE doublev4 simd_vaddd(doublev4 a, doublev4 b) { return a + b; }
SOLWAY_INLINE doublev4 simd_vsubd(doublev4 a, doublev4 b) { return a - b; }
SOLWAY_INLINE doublev4 simd_vmuld(doublev4 a, doublev4 b) { return a * b; }
SOLWAY_INLINE doublev4 simd_vdivd(doublev4 a, doublev4 b) { return a / b; }
SOLWAY_INLINE doublev4 simd_vsqrtd(doublev4 a) { return __builtin_elementwise_sqrt(a); }
SOLWAY_INLINE floatv4 simd_vmas(floatv4 a, floatv4 b, floatv4 c) {
  return __builtin_elementwise_fma(a, b, c);
}
SOLWAY_INLINE floatv4 simd_vmss(floatv4 a, floatv4 b, floatv4 c) {
  return __builtin_elementwise_fma(a, b, -c);
}
SOLWAY_INLINE floatv4 simd_vnmas(floatv4 a, floatv4 b, floatv4 c) {
  return __builtin_elementwise_fma(-a, b, c);
}
SOLWAY_INLINE floatv4 simd_vnmss(floatv4 a, floatv4 b, floatv4 c) {
  return __builtin_elementwise_fma(-a, b, -c);
}
SOLWAY_INLINE floatv4 simd_vadds(floatv4 a, floatv4 b) { return a + b; }
SOLWAY_INLINE floatv4 simd_vsubs(floatv4 a, floatv4 b) { return a - b; }
SOLWAY_INLINE floatv4 simd_vmuls(floatv4 a, floatv4 b) { return a * b; }
SOLWAY_INLINE floatv4 simd_vdivs(floatv4 a, floatv4 b) { return a / b; }
SOLWAY_INLINE floatv4 simd_vsqrts(floatv4 a) { return __builtin_elementwise_sqrt(a); }
#undef SOLWAY_INLINE

#include "simd_integers.h"
#include "simd_lanes.h"

#endif
