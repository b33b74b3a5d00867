/* The four kinds of CPE in a round: those that have a part of A, of B, of both and of none. */
#define LOAD_A(to, offset) ldder to, offset($16)
#define LOAD_B(to, offset) vldc to, offset($17)
#define GET_A(to, offset) getr to
#define GET_B(to, offset) getc to

#ifndef A_STEP /* four rows of a lie behind the four rows before */
#define A_STEP 32
#define NEXT_ROWS addl $16, $21, $16
#endif

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
