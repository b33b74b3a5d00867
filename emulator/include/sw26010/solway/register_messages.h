/* Messages between registers of CPEs. Included by simd.h. */
#ifndef SOLWAY_SW26010_REGISTER_MESSAGES_H
#define SOLWAY_SW26010_REGISTER_MESSAGES_H

#include "simd_256.h"

#define SOLWAY_INLINE static inline __attribute__((always_inline, unused))

/* Register communication: 256 bits to the CPE of the same row (putr) or column (putc) that is
   number `destination` of it, or, with 8, to the seven others; get takes the oldest message. A
   register holds a float as a double. */
void __solway_putr(unsigned long, unsigned long, unsigned long, unsigned long, int destination);
void __solway_putc(unsigned long, unsigned long, unsigned long, unsigned long, int destination);
void __solway_getr(void);
void __solway_getc(void);
unsigned long __solway_message(int lane);

SOLWAY_INLINE uint256 __solway_lanes_of_floatv4(floatv4 v) {
  return (uint256)__builtin_convertvector(v, doublev4);
}
SOLWAY_INLINE uint256 __solway_lanes_of_doublev4(doublev4 v) { return (uint256)v; }
SOLWAY_INLINE uint256 __solway_lanes_of_intv8(intv8 v) { return (uint256)v; }
SOLWAY_INLINE uint256 __solway_lanes_of_uintv8(uintv8 v) { return (uint256)v; }
SOLWAY_INLINE uint256 __solway_lanes_of_int256(int256 v) { return (uint256)v; }
SOLWAY_INLINE uint256 __solway_lanes_of_uint256(uint256 v) { return v; }
SOLWAY_INLINE floatv4 __solway_floatv4_of(uint256 lanes) {
  return __builtin_convertvector((doublev4)lanes, floatv4);
}
SOLWAY_INLINE doublev4 __solway_doublev4_of(uint256 lanes) { return (doublev4)lanes; }
SOLWAY_INLINE intv8 __solway_intv8_of(uint256 lanes) { return (intv8)lanes; }
SOLWAY_INLINE uintv8 __solway_uintv8_of(uint256 lanes) { return (uintv8)lanes; }
SOLWAY_INLINE int256 __solway_int256_of(uint256 lanes) { return (int256)lanes; }
SOLWAY_INLINE uint256 __solway_uint256_of(uint256 lanes) { return lanes; }

#define __solway_put(put, v, destination)                                           \
  __extension__({                                                                   \
    const uint256 solway_r = _Generic((v),                                          \
        floatv4: __solway_lanes_of_floatv4,                                         \
        doublev4: __solway_lanes_of_doublev4,                                       \
        intv8: __solway_lanes_of_intv8,                                             \
        uintv8: __solway_lanes_of_uintv8,                                           \
        int256: __solway_lanes_of_int256,                                           \
        uint256: __solway_lanes_of_uint256)(v);                                     \
    put(solway_r[0], solway_r[1], solway_r[2], solway_r[3], destination);           \
  })
#define __solway_get(get, v)                                                        \
  __extension__({                                                                   \
    get();                                                                          \
    const uint256 solway_r = {__solway_message(0), __solway_message(1),             \
                              __solway_message(2), __solway_message(3)};            \
    (v) = _Generic((v),                                                             \
        floatv4: __solway_floatv4_of,                                               \
        doublev4: __solway_doublev4_of,                                             \
        intv8: __solway_intv8_of,                                                   \
        uintv8: __solway_uintv8_of,                                                 \
        int256: __solway_int256_of,                                                 \
        uint256: __solway_uint256_of)(solway_r);                                    \
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

#undef SOLWAY_INLINE

#endif
