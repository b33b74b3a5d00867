/* Reductions over the CPEs of a core group. Included by slave.h.

   All 64 CPEs call `athread_redurt` alike. Of `count` elements each, the sum (minimum, ...) over all
   CPEs is then in `to` on every one of them. `buffer` is LDM at the same place on all, with room for
   `items` elements: so many go at a time. `source` may be `to`. The machine's own way is not public:
   here CPEs whose numbers differ in one bit exchange what they have, six times. */
#ifndef SOLWAY_SW26010PRO_REDUCTION_H
#define SOLWAY_SW26010PRO_REDUCTION_H

#ifdef __cplusplus
extern "C" {
#endif

#define athread_int 0x0
#define athread_uint 0x1
#define athread_long 0x2
#define athread_ulong 0x3
#define athread_float 0x4
#define athread_double 0x5
#define athread_intv8 0x6
#define athread_uintv8 0x7
#define athread_int256 0x8
#define athread_uint256 0x9
#define athread_floatv4 0xa
#define athread_doublev4 0xb
#define athread_intv16 0xc
#define athread_uintv16 0xd
#define athread_int512 0xe
#define athread_uint512 0xf
#define athread_floatv8 0x10
#define athread_doublev8 0x11

#define OP_add 0x1
#define OP_and 0x2
#define OP_or 0x3
#define OP_xor 0x4
#define OP_eqv 0x5
#define OP_min 0x6
#define OP_max 0x7

/* Ends the run: there is no such reduction. */
void __solway_no_reduction(int type, int operation) __attribute__((noreturn));

/* Elements of one vector of a type, and what they are; int256 and int512 are 64-bit words. */
SOLWAY_INLINE int __solway_lanes(int type) {
  switch (type) {
    case athread_int256:
    case athread_uint256:
    case athread_floatv4:
    case athread_doublev4:
      return 4;
    case athread_intv8:
    case athread_uintv8:
    case athread_int512:
    case athread_uint512:
    case athread_floatv8:
    case athread_doublev8:
      return 8;
    case athread_intv16:
    case athread_uintv16:
      return 16;
    default:
      return 1;
  }
}

SOLWAY_INLINE int __solway_scalar(int type) {
  switch (type) {
    case athread_intv8:
    case athread_intv16:
      return athread_int;
    case athread_uintv8:
    case athread_uintv16:
      return athread_uint;
    case athread_int256:
    case athread_int512:
      return athread_long;
    case athread_uint256:
    case athread_uint512:
      return athread_ulong;
    case athread_floatv4:
    case athread_floatv8:
      return athread_float;
    case athread_doublev4:
    case athread_doublev8:
      return athread_double;
    default:
      return type;
  }
}

#define __SOLWAY_EACH(type, expression)                   \
  do {                                                    \
    type *x = (type *)to;                                 \
    const type *y = (const type *)from;                   \
    for (int i = 0; i < count; ++i) x[i] = (expression);  \
  } while (0);                                            \
  return
#define __SOLWAY_COMBINE_NUMBERS(name, type)                                                \
  static __attribute__((noinline, unused)) void name(void *to, const void *from, int count, \
                                                     int operation) {                       \
    switch (operation) {                                                                    \
      case OP_add: __SOLWAY_EACH(type, x[i] + y[i]);                                        \
      case OP_min: __SOLWAY_EACH(type, y[i] < x[i] ? y[i] : x[i]);                          \
      case OP_max: __SOLWAY_EACH(type, x[i] < y[i] ? y[i] : x[i]);                          \
    }                                                                                       \
  }
#define __SOLWAY_COMBINE_INTEGERS(name, type)                                               \
  static __attribute__((noinline, unused)) void name(void *to, const void *from, int count, \
                                                     int operation) {                       \
    switch (operation) {                                                                    \
      case OP_add: __SOLWAY_EACH(type, x[i] + y[i]);                                        \
      case OP_and: __SOLWAY_EACH(type, x[i] & y[i]);                                        \
      case OP_or: __SOLWAY_EACH(type, x[i] | y[i]);                                         \
      case OP_xor: __SOLWAY_EACH(type, x[i] ^ y[i]);                                        \
      case OP_eqv: __SOLWAY_EACH(type, ~(x[i] ^ y[i]));                                     \
      case OP_min: __SOLWAY_EACH(type, y[i] < x[i] ? y[i] : x[i]);                          \
      case OP_max: __SOLWAY_EACH(type, x[i] < y[i] ? y[i] : x[i]);                          \
    }                                                                                       \
  }
__SOLWAY_COMBINE_INTEGERS(__solway_combine_int, int)
__SOLWAY_COMBINE_INTEGERS(__solway_combine_uint, unsigned)
__SOLWAY_COMBINE_INTEGERS(__solway_combine_long, long)
__SOLWAY_COMBINE_INTEGERS(__solway_combine_ulong, unsigned long)
__SOLWAY_COMBINE_NUMBERS(__solway_combine_float, float)
__SOLWAY_COMBINE_NUMBERS(__solway_combine_double, double)

SOLWAY_INLINE int __solway_redurt(const void *source, void *to, int count, int type, int operation,
                                  void *buffer, int items) {
  /* What is sent: `to` may lie in main memory. */
  static __ldm long mine[64];
  static __ldm volatile int sent, got;
  const int scalar = __solway_scalar(type);
  const int is_float = scalar == athread_float || scalar == athread_double;
  const int is_bits = operation >= OP_and && operation <= OP_eqv;
  if (scalar < athread_int || scalar > athread_double || operation < OP_add ||
      operation > OP_max || (is_float && is_bits)) {
    __solway_no_reduction(type, operation);
  }
  void (*combine)(void *, const void *, int, int) = __solway_combine_int;
  switch (scalar) {
    case athread_uint: combine = __solway_combine_uint; break;
    case athread_long: combine = __solway_combine_long; break;
    case athread_ulong: combine = __solway_combine_ulong; break;
    case athread_float: combine = __solway_combine_float; break;
    case athread_double: combine = __solway_combine_double; break;
  }
  const int bytes = scalar == athread_int || scalar == athread_uint || scalar == athread_float
                        ? 4 : 8;
  const int lanes = __solway_lanes(type);
  const int room = (int)sizeof mine / bytes;
  const int most = items * lanes < room ? items * lanes : room;
  for (int begin = 0; begin < count * lanes; begin += most) {
    const int left = count * lanes - begin, some = left < most ? left : most;
    memcpy(mine, (const char *)source + (long)begin * bytes, (size_t)(some * bytes));
    for (int bit = 1; bit < 64; bit *= 2) {
      const int other = _PEN ^ bit;
      sent = got = 0;
      athread_ssync_peer(other);
      athread_rma_iput(mine, &sent, some * bytes, other, buffer, &got);
      athread_rma_wait_value(&sent, 1);
      athread_rma_wait_value(&got, 1);
      combine(mine, buffer, some, operation);
    }
    memcpy((char *)to + (long)begin * bytes, mine, (size_t)(some * bytes));
  }
  return 0;
}
#define athread_redurt(source, to, count, type, operation, buffer, items) \
  __solway_redurt(source, to, count, type, operation, (void *)(buffer), items)

#undef __SOLWAY_COMBINE_INTEGERS
#undef __SOLWAY_COMBINE_NUMBERS
#undef __SOLWAY_EACH

#ifdef __cplusplus
}
#endif

#endif
