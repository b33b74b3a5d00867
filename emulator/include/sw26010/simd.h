/* Vector types and operations of SW26010, as the emulator provides them. */
#ifndef SOLWAY_SW26010_SIMD_H
#define SOLWAY_SW26010_SIMD_H

typedef float floatv4 __attribute__((vector_size(16)));
typedef double doublev4 __attribute__((vector_size(32)));
typedef int intv8 __attribute__((vector_size(32)));
typedef unsigned uintv8 __attribute__((vector_size(32)));

typedef floatv4 __solway_unaligned_floatv4 __attribute__((aligned(4)));
typedef doublev4 __solway_unaligned_doublev4 __attribute__((aligned(8)));
typedef intv8 __solway_unaligned_intv8 __attribute__((aligned(4)));
typedef uintv8 __solway_unaligned_uintv8 __attribute__((aligned(4)));

#define SOLWAY_INLINE static inline __attribute__((always_inline, unused))

/* The first argument is the vector itself, as in the machine's macros. An address that the type
   does not allow is slow on the machine, not wrong; hazard mode reports it. */
#define __solway_vector_at(v, address) ((__typeof__(v) *)(void *)(address))
#define __solway_unaligned_vector_at(v, address)                   \
  _Generic((v),                                                    \
      floatv4: (__solway_unaligned_floatv4 *)(void *)(address),    \
      doublev4: (__solway_unaligned_doublev4 *)(void *)(address),  \
      intv8: (__solway_unaligned_intv8 *)(void *)(address),        \
      uintv8: (__solway_unaligned_uintv8 *)(void *)(address))
#define simd_load(v, address) ((v) = *__solway_vector_at(v, address))
#define simd_store(v, address) (*__solway_vector_at(v, address) = (v))
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
SOLWAY_INLINE intv8 simd_vaddw(intv8 a, intv8 b) { return a + b; }
SOLWAY_INLINE intv8 simd_vsubw(intv8 a, intv8 b) { return a - b; }

/* Lane i of v; v with lane i replaced by x. */
#define simd_vextf0(v) ((v)[0])
#define simd_vextf1(v) ((v)[1])
#define simd_vextf2(v) ((v)[2])
#define simd_vextf3(v) ((v)[3])
#define simd_vinsf0(x, v) \
  __extension__({ __typeof__(v) solway_v = (v); solway_v[0] = (x); solway_v; })
#define simd_vinsf1(x, v) \
  __extension__({ __typeof__(v) solway_v = (v); solway_v[1] = (x); solway_v; })
#define simd_vinsf2(x, v) \
  __extension__({ __typeof__(v) solway_v = (v); solway_v[2] = (x); solway_v; })
#define simd_vinsf3(x, v) \
  __extension__({ __typeof__(v) solway_v = (v); solway_v[3] = (x); solway_v; })

/* Register communication: 256 bits to the CPE of the same row (putr) or column (putc) that is
   number `destination` of it, or, with 8, to the seven others; get takes the oldest message. A
   register holds a float as a double. */
typedef unsigned long __solway_lanes __attribute__((vector_size(32)));
void __solway_putr(unsigned long, unsigned long, unsigned long, unsigned long, int destination);
void __solway_putc(unsigned long, unsigned long, unsigned long, unsigned long, int destination);
void __solway_getr(void);
void __solway_getc(void);
unsigned long __solway_message(int lane);

SOLWAY_INLINE __solway_lanes __solway_lanes_of_floatv4(floatv4 v) {
  return (__solway_lanes)__builtin_convertvector(v, doublev4);
}
SOLWAY_INLINE __solway_lanes __solway_lanes_of_doublev4(doublev4 v) { return (__solway_lanes)v; }
SOLWAY_INLINE __solway_lanes __solway_lanes_of_intv8(intv8 v) { return (__solway_lanes)v; }
SOLWAY_INLINE __solway_lanes __solway_lanes_of_uintv8(uintv8 v) { return (__solway_lanes)v; }
SOLWAY_INLINE floatv4 __solway_floatv4_of(__solway_lanes lanes) {
  return __builtin_convertvector((doublev4)lanes, floatv4);
}
SOLWAY_INLINE doublev4 __solway_doublev4_of(__solway_lanes lanes) { return (doublev4)lanes; }
SOLWAY_INLINE intv8 __solway_intv8_of(__solway_lanes lanes) { return (intv8)lanes; }
SOLWAY_INLINE uintv8 __solway_uintv8_of(__solway_lanes lanes) { return (uintv8)lanes; }

#define __solway_put(put, v, destination)                                           \
  __extension__({                                                                   \
    const __solway_lanes solway_r = _Generic((v),                                   \
        floatv4: __solway_lanes_of_floatv4,                                         \
        doublev4: __solway_lanes_of_doublev4,                                       \
        intv8: __solway_lanes_of_intv8,                                             \
        uintv8: __solway_lanes_of_uintv8)(v);                                       \
    put(solway_r[0], solway_r[1], solway_r[2], solway_r[3], destination);           \
  })
#define __solway_get(get, v)                                                        \
  __extension__({                                                                   \
    get();                                                                          \
    const __solway_lanes solway_r = {__solway_message(0), __solway_message(1),      \
                                     __solway_message(2), __solway_message(3)};     \
    (v) = _Generic((v),                                                             \
        floatv4: __solway_floatv4_of,                                               \
        doublev4: __solway_doublev4_of,                                             \
        intv8: __solway_intv8_of,                                                   \
        uintv8: __solway_uintv8_of)(solway_r);                                      \
  })
#define simd_putr(v, destination) __solway_put(__solway_putr, v, destination)
#define simd_putc(v, destination) __solway_put(__solway_putc, v, destination)
#define simd_getr(v) __solway_get(__solway_getr, v)
#define simd_getc(v) __solway_get(__solway_getc, v)

/* Loads, and loads of one scalar into all lanes, that also send to the seven others; of doubles. */
#define __solway_double_only(v) ((void)_Generic((v), doublev4: 0))
#define simd_loadr(v, address) (__solway_double_only(v), simd_load(v, address), simd_putr(v, 8))
#define simd_loadc(v, address) (__solway_double_only(v), simd_load(v, address), simd_putc(v, 8))
#define simd_loader(v, address) (__solway_double_only(v), simd_loade(v, address), simd_putr(v, 8))
#define simd_loadec(v, address) (__solway_double_only(v), simd_loade(v, address), simd_putc(v, 8))

#define SOLWAY_LATER(what) __attribute__((unavailable(what " is not emulated yet")))

void __solway_shuffle(void) SOLWAY_LATER("simd_vshff");
void __solway_select(void) SOLWAY_LATER("simd_vsel*");
#define simd_vshff(a, b, mask) __solway_shuffle()
#define simd_vseleq(a, b, c) __solway_select()
#define simd_vsellt(a, b, c) __solway_select()
#define simd_vselle(a, b, c) __solway_select()

#undef SOLWAY_LATER
#undef SOLWAY_INLINE

#endif
