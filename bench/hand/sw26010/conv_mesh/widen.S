#include "block.h"

/* void widen(const float *from, double *to, const struct line *line, int lines)
 *
 * Writes `lines` lines alike, side by side: line->count numbers between line->before and
 * line->after zeros. Each of these may be 0; the floats of a line begin line->bytes after those of
 * the one before. */
.globl widen
widen:
  ldl $20,0($18)             # before
  ldl $21,8($18)             # count
  ldl $22,16($18)            # after
  ldl $23,24($18)            # bytes
  beq $19,.done
.line:
  mov $16,$24
  mov $20,$0
  beq $0,.numbers
.before:
  fstd $31,0($17)
  subl $0,1,$0
  ldi $17,8($17)
  bgt $0,.before
.numbers:
  subl $21,4,$0
  blt $0,.rest
.four:
  flds $1,0($24)
  flds $2,4($24)
  flds $3,8($24)
  flds $4,12($24)
  subl $0,4,$0
  fstd $1,0($17)
  fstd $2,8($17)
  fstd $3,16($17)
  ldi $24,16($24)
  fstd $4,24($17)
  ldi $17,32($17)
  bge $0,.four
.rest:
  addl $0,4,$0
  beq $0,.zeros
.one:
  flds $1,0($24)
  subl $0,1,$0
  ldi $24,4($24)
  fstd $1,0($17)
  ldi $17,8($17)
  bgt $0,.one
.zeros:
  mov $22,$0
  beq $0,.next_line
.after:
  fstd $31,0($17)
  subl $0,1,$0
  ldi $17,8($17)
  bgt $0,.after
.next_line:
  subw $19,1,$19
  addl $16,$23,$16
  bgt $19,.line
.done:
  ret $31,($26),1

/* void widen_filters(const float *from, double *to, int count, int bytes)
 *
 * `count` times the filters of a block, `bytes` bytes apart, which come to lie side by side; at
 * least one. */
.globl widen_filters
widen_filters:
.block:
  vlds $1,0($16)
  vlds $2,16($16)
#if BLOCK_FILTERS == 16
  vlds $3,32($16)
  vlds $4,48($16)
#endif
  subw $18,1,$18
  addl $16,$19,$16
  vstd $1,0($17)
  vstd $2,32($17)
#if BLOCK_FILTERS == 16
  vstd $3,64($17)
  vstd $4,96($17)
  ldi $17,128($17)
#else
  ldi $17,64($17)
#endif
  bgt $18,.block
  ret $31,($26),1

/* void clear_sums(double *c, int count): a multiple of 16, at least 16. */
.globl clear_sums
clear_sums:
.sums:
  vstd $31,0($16)
  vstd $31,32($16)
  subw $17,16,$17
  vstd $31,64($16)
  vstd $31,96($16)
  ldi $16,128($16)
  bgt $17,.sums
  ret $31,($26),1
