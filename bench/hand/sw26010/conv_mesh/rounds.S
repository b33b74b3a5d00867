/* The four kinds of CPE in a round: those that have a part of the image, of the weights, of both
 * and of none. Offsets are written as sums of numbers, since not every assembler multiplies. */
#include "block.h"

#define LOAD_A(to, offset) ldder to, offset($16)
#define LOAD_B(to, offset) vldc to, offset($17)
#define GET_A(to, offset) getr to
#define GET_B(to, offset) getc to

#define JOINED(a, b) a##b
#define OF(what, size) JOINED(what, size)

/* Bytes from a pixel to the next in a line of the image, and to others. */
#define PIXEL_1 8
#define PIXEL_2 16
#define PIXEL_3 24
#define PIXEL_4 32
#define PIXEL_OF(stride) PIXEL_##stride
#define PIXEL_FOR(stride) PIXEL_OF(stride)
#define PIXEL PIXEL_FOR(STRIDE)
#define PIXELS_2 PIXEL+PIXEL
#define PIXELS_3 PIXEL+PIXELS_2
#define PIXELS_4 PIXEL+PIXELS_3
#define PIXELS_5 PIXEL+PIXELS_4
#define PIXELS_6 PIXEL+PIXELS_5
#define PIXELS_7 PIXEL+PIXELS_6
#define PIXELS_8 PIXEL+PIXELS_7

#if BLOCK_PIXELS == 8
#include "block_8x8.inc"
#else
#include "block_4x16.inc"
#endif
#define NEXT_LINE addl $16,$20,$16;
#define COUNT_LINE subl $19,1,$19;

/* The steps of a row of the kernel but its last one, and where that is. */
#define STEPS_1
#define STEPS_2 STEP(0, 8, , )
#define STEPS_3 STEPS_2 STEP(8, 16, , )
#define STEPS_4 STEPS_3 STEP(16, 24, , )
#define STEPS_5 STEPS_4 STEP(24, 32, , )
#define STEPS_6 STEPS_5 STEP(32, 40, , )
#define STEPS_7 STEPS_6 STEP(40, 48, , )
#define STEPS_8 STEPS_7 STEP(48, 56, , )
#define STEPS_9 STEPS_8 STEP(56, 64, , )
#define STEPS_10 STEPS_9 STEP(64, 72, , )
#define STEPS_11 STEPS_10 STEP(72, 80, , )
#define STEPS_BEFORE_LAST OF(STEPS_, KERNEL)
#define TAP_1 0
#define TAP_2 8
#define TAP_3 16
#define TAP_4 24
#define TAP_5 32
#define TAP_6 40
#define TAP_7 48
#define TAP_8 56
#define TAP_9 64
#define TAP_10 72
#define TAP_11 80
#define LAST_TAP OF(TAP_, KERNEL)

#define ROUND send_both
#define FETCH_A LOAD_A
#define FETCH_B LOAD_B
#include "round.inc"
#undef ROUND
#undef FETCH_B

#define ROUND send_a
#define FETCH_B GET_B
#include "round.inc"
#undef ROUND
#undef FETCH_A

#define ROUND receive_both
#define FETCH_A GET_A
#include "round.inc"
#undef ROUND
#undef FETCH_B

#define ROUND send_b
#define FETCH_B LOAD_B
#include "round.inc"
