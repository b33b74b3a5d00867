/* The rounds of the product by register communication; the channels of the result lie side by side in w. */
#define A_STEP NO
#define NEXT_ROWS ldi $16, 32($16)
#include "../gemm_registers/rounds.S"
