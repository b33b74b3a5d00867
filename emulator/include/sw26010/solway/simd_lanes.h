/* Lanes of vectors: comparing, choosing, signs, inserting, shuffling. Included by simd.h. */
#ifndef SOLWAY_SW26010_SIMD_LANES_H
#define SOLWAY_SW26010_SIMD_LANES_H

#define SOLWAY_INLINE static inline __attribute__((always_inline, unused))

/* The bits of a vector of floats or doubles. */
typedef int __solway_bits_floatv4 __attribute__((vector_size(16)));
typedef long __solway_bits_doublev4 __attribute__((vector_size(32)));
#define SOLWAY_FLOAT_SIGN (-0x7fffffff - 1)
#define SOLWAY_DOUBLE_SIGN (-0x7fffffffffffffffL - 1)
#define SOLWAY_FLOAT_FRACTION 0x007fffff
#define SOLWAY_DOUBLE_FRACTION 0x000fffffffffffffL

/* `op`(a, b, ...) for floatv4 and doublev4 alike: the type of the first argument chooses. */
#define __solway_by_type(op, v)                                                           \
  _Generic((v), floatv4: __solway_##op##_floatv4, doublev4: __solway_##op##_doublev4)

/* 2.0 where the comparison holds, else 0; x where it holds of c and 0, else y. */
#define SOLWAY_COMPARE(type, name, holds)                                                 \
  SOLWAY_INLINE type __solway_compare_##name##_##type(type a, type b) {                   \
    const type two = (type){} + 2;                                                        \
    return (type)((__solway_bits_##type)two & (__solway_bits_##type)(holds));             \
  }
#define SOLWAY_SELECT(type, name, holds)                                                  \
  SOLWAY_INLINE type __solway_select_##name##_##type(type a, type x, type y) {            \
    const type b = {};                                                                    \
    const __solway_bits_##type mask = (__solway_bits_##type)(holds);                      \
    return (type)(((__solway_bits_##type)x & mask) | ((__solway_bits_##type)y & ~mask));  \
  }
/* The bits of `mask` from a, the others from b. */
#define SOLWAY_COPY_BITS(type, name, bits, mask)                                          \
  SOLWAY_INLINE type __solway_##name##_##type(type a, type b) {                           \
    const __solway_bits_##type of_a = (__solway_bits_##type){} + (mask);                  \
    return (type)(((bits) & of_a) | ((__solway_bits_##type)b & ~of_a));                   \
  }
#define SOLWAY_LANES(type, sign, fraction)                                                \
  SOLWAY_COMPARE(type, eq, a == b)                                                        \
  SOLWAY_COMPARE(type, le, a <= b)                                                        \
  SOLWAY_COMPARE(type, lt, a < b)                                                         \
  SOLWAY_COMPARE(type, un, (a != a) | (b != b))                                           \
  SOLWAY_SELECT(type, eq, a == b)                                                         \
  SOLWAY_SELECT(type, le, a <= b)                                                         \
  SOLWAY_SELECT(type, lt, a < b)                                                          \
  SOLWAY_COPY_BITS(type, copy_sign, (__solway_bits_##type)a, sign)                        \
  SOLWAY_COPY_BITS(type, copy_other_sign, ~(__solway_bits_##type)a, sign)                 \
  SOLWAY_COPY_BITS(type, copy_exponent, (__solway_bits_##type)a, ~fraction)
#define SOLWAY_SHUFFLE(type)                                                              \
  SOLWAY_INLINE type __solway_shuffle_##type(type a, type b, int mask) {                  \
    return (type){b[mask & 3], b[mask >> 2 & 3], a[mask >> 4 & 3], a[mask >> 6 & 3]};     \
  }
SOLWAY_LANES(floatv4, SOLWAY_FLOAT_SIGN, SOLWAY_FLOAT_FRACTION)
SOLWAY_LANES(doublev4, SOLWAY_DOUBLE_SIGN, SOLWAY_DOUBLE_FRACTION)
SOLWAY_SHUFFLE(floatv4)
SOLWAY_SHUFFLE(doublev4)

#define simd_vfcmpeq(a, b) (__solway_by_type(compare_eq, a)(a, b))
#define simd_vfcmple(a, b) (__solway_by_type(compare_le, a)(a, b))
#define simd_vfcmplt(a, b) (__solway_by_type(compare_lt, a)(a, b))
#define simd_vfcmpun(a, b) (__solway_by_type(compare_un, a)(a, b))
#define simd_vseleq(c, x, y) (__solway_by_type(select_eq, x)(c, x, y))
#define simd_vselle(c, x, y) (__solway_by_type(select_le, x)(c, x, y))
#define simd_vsellt(c, x, y) (__solway_by_type(select_lt, x)(c, x, y))

/* The sign of a, its opposite, or sign and exponent of a; the rest of b. */
#define simd_vcpys(a, b) (__solway_by_type(copy_sign, a)(a, b))
#define simd_vcpysn(a, b) (__solway_by_type(copy_other_sign, a)(a, b))
#define simd_vcpyse(a, b) (__solway_by_type(copy_exponent, a)(a, b))
SOLWAY_INLINE floatv4 simd_vabss(floatv4 v) { return __builtin_elementwise_abs(v); }
SOLWAY_INLINE doublev4 simd_vabsd(doublev4 v) { return __builtin_elementwise_abs(v); }

/* Lanes 0 and 1 from b, 2 and 3 from a: two bits of the mask say which, the lowest lane in the
   lowest bits. Of integers, eight words and four bits each. */
SOLWAY_INLINE intv8 __solway_shuffle_intv8(intv8 a, intv8 b, int mask) {
  return (intv8){b[mask & 7],       b[mask >> 4 & 7],  b[mask >> 8 & 7],  b[mask >> 12 & 7],
                 a[mask >> 16 & 7], a[mask >> 20 & 7], a[mask >> 24 & 7], a[mask >> 28 & 7]};
}
#define simd_vshff(a, b, mask)                                                            \
  (_Generic((a),                                                                          \
       floatv4: __solway_shuffle_floatv4,                                                 \
       doublev4: __solway_shuffle_doublev4,                                               \
       intv8: __solway_shuffle_intv8)(a, b, mask))

/* Lane 0 in all lanes. */
#define simd_vcpyf(v) simd_vshff(v, v, 0)

/* Lane i of v; v with lane i replaced by x. Of integers, word i. */
#define __solway_insert(x, v, i)                                                          \
  __extension__({ __typeof__((v) + (v)) solway_v = (v); solway_v[i] = (x); solway_v; })
#define simd_vextf(v, i) ((v)[i])
#define simd_vextf0(v) ((v)[0])
#define simd_vextf1(v) ((v)[1])
#define simd_vextf2(v) ((v)[2])
#define simd_vextf3(v) ((v)[3])
#define simd_vinsf0(x, v) __solway_insert(x, v, 0)
#define simd_vinsf1(x, v) __solway_insert(x, v, 1)
#define simd_vinsf2(x, v) __solway_insert(x, v, 2)
#define simd_vinsf3(x, v) __solway_insert(x, v, 3)
#define simd_vextw0(v) ((v)[0])
#define simd_vextw1(v) ((v)[1])
#define simd_vextw2(v) ((v)[2])
#define simd_vextw3(v) ((v)[3])
#define simd_vextw4(v) ((v)[4])
#define simd_vextw5(v) ((v)[5])
#define simd_vextw6(v) ((v)[6])
#define simd_vextw7(v) ((v)[7])
#define simd_vinsw0(x, v) __solway_insert(x, v, 0)
#define simd_vinsw1(x, v) __solway_insert(x, v, 1)
#define simd_vinsw2(x, v) __solway_insert(x, v, 2)
#define simd_vinsw3(x, v) __solway_insert(x, v, 3)
#define simd_vinsw4(x, v) __solway_insert(x, v, 4)
#define simd_vinsw5(x, v) __solway_insert(x, v, 5)
#define simd_vinsw6(x, v) __solway_insert(x, v, 6)
#define simd_vinsw7(x, v) __solway_insert(x, v, 7)

#undef SOLWAY_SHUFFLE
#undef SOLWAY_INLINE

#endif
