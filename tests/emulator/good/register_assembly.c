#include "cpe.h"

#define REG_PUTR(v, to) asm volatile("putr %0,%1" ::"r"(v), "r"(to))
#define REG_PUTC(v, to) asm volatile("putc %0,%1" ::"r"(v), "r"(to))
#define REG_GETR(v) asm volatile("getr %0" : "=r"(v))
#define REG_GETC(v) asm volatile("getc %0" : "=r"(v))
#define SYNC_ARRAY() \
  asm volatile(      \
      "ldi $1,0xff\n" \
      "sync\t$1\n"     \
      "synr $1\n"     \
      "memb\n")

/* Inline assembly as public CPE code has it: broadcasts along a row and a column, and barriers. */
void work(Parameters *p) {
  int row, column;
  asm volatile("rcsr %0,1" : "=r"(row));
  asm volatile("rcsr %0,2" : "=r"(column));
  doublev4 d = simd_set_doublev4(_MYID, 2, 3, 4);
  floatv4 f = simd_set_floatv4(_MYID, 0.5f, 3, 4);
  if (column == 2) {
    REG_PUTR(d, 8);
  } else {
    REG_GETR(d);
  }
  if (row == 5) {
    REG_PUTC(f, 8);
  } else {
    REG_GETC(f);
  }
  p->y[_MYID] = simd_vextf0(d) + 100 * simd_vextf0(f) + simd_vextf1(f);
  SYNC_ARRAY();
  const float seen = p->y[63 - _MYID];
  SYNC_ARRAY();
  REQUIRE(seen == (7 - row) * 8 + 2 + 100 * (40 + 7 - column) + 0.5f);
}
