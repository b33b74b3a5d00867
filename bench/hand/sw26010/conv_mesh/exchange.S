/* void exchange(const double *from, float *to, int whole, int rest, int row,
 *               const struct rows *rows)
 * void collect(const double *from, float *to, int whole, int rest, int row,
 *              const struct rows *rows)
 *
 * Takes rows of pixels of one filter, in groups of as many as a block has, to floats: of each row
 * `whole` groups to where `to` and the distance between rows say, and `rest` groups to rows->rest.
 * They are those of this CPE, or those that the CPE of `row` sends in exchange. */
#include "block.h"

#if BLOCK_FILTERS == 16
#define FROM_4_PIXELS fldd $1,0($16); fldd $2,128($16); fldd $3,256($16); fldd $4,384($16);
#else
#define FROM_4_PIXELS fldd $1,0($16); fldd $2,64($16); fldd $3,128($16); fldd $4,192($16);
#define FROM_4_MORE fldd $1,256($16); fldd $2,320($16); fldd $3,384($16); fldd $4,448($16);
#endif
#define JOIN vinsf $2,$1,1,$1; vinsf $3,$1,2,$1; vinsf $4,$1,3,$1;

#if RELU
#define AT_LEAST_0 vsellt $1,$31,$1,$1;
#else
#define AT_LEAST_0
#endif

#define TO_4_FLOATS(to)                                                                           \
  AT_LEAST_0 vextf $1,1,$2; fsts $1,0(to); vextf $1,2,$3; fsts $2,4(to); vextf $1,3,$4;           \
  fsts $3,8(to); fsts $4,12(to); ldi to,16(to);

#if BLOCK_PIXELS == 8
#define GET_GROUP(to)                                                                             \
  FROM_4_PIXELS JOIN SWAP TO_4_FLOATS(to) FROM_4_MORE JOIN SWAP TO_4_FLOATS(to) NEXT_GROUP
#else
#define GET_GROUP(to) FROM_4_PIXELS JOIN SWAP TO_4_FLOATS(to) NEXT_GROUP
#endif
#define NEXT_GROUP addl $16,$25,$16;

#define TAKE exchange
#define SWAP putc $1,$20; getc $1;
#include "take.inc"
#undef TAKE
#undef SWAP

#define TAKE collect
#define SWAP
#include "take.inc"
