/* rows: what each core runs */
#include <scratchpad.h>

#include "rows.h"

static inline long min_i64(long a, long b) { return a < b ? a : b; }

static SCRATCHPAD rows_args args;
static SCRATCHPAD scratchpad_counter args_reply;

/* scratchpad buffers: 532 of 65536 bytes */
static SCRATCHPAD_ALIGNED(64) SCRATCHPAD float AA[8][16];
static SCRATCHPAD_ALIGNED(32) SCRATCHPAD float BB[5];

/* Completed transfers are counted here */
static SCRATCHPAD scratchpad_counter AA_reply;
static SCRATCHPAD scratchpad_counter CC_reply;

void rows_core(void *main_args) {
  /* The parameters come from main memory once */
  args_reply = 0;
  scratchpad_get(&args, main_args, sizeof(args), &args_reply);
  scratchpad_wait(&args_reply, 1);

  const long id = scratchpad_core();
  const float (*A)[64] = (const float (*)[64])args.A;
  const float (*B)[5] = (const float (*)[5])args.B;
  float (*C)[16] = (float (*)[16])args.C;

  {
    /* i: 4 iterations over 2 cores, 2 at most for each */
    const long i_begin = min_i64(id * 2, 4);
    const long i_end = min_i64(i_begin + 2, 4);
    for (long i = i_begin; i < i_end; ++i) {
      /* get A[(i * 8), 0] -> AA[0, 0]: 8 x 16 float32 */
      AA_reply = 0;
      scratchpad_get_blocks(&AA[0][0], &A[i * 8][0], 64, 8, 256, &AA_reply);
      /* get B[i, 0] -> BB[0]: 5 float32 */
      /* by loads and stores: a transfer moves multiples of 8 bytes from multiples of 8 bytes */
      {
        const float *main_side = &B[i][0];
        float *near_side = &BB[0];
        for (long r2 = 0; r2 < 5; ++r2) {
          near_side[r2] = main_side[r2];
        }
      }
      scratchpad_wait(&AA_reply, 1);
      /* BB: nothing to wait for */
      for (long r = 0; r < 8; ++r) {
        for (long c = 0; c < 16; ++c) {
          AA[r][c] = AA[r][c] + BB[0];
        }
      }
      /* put AA[0, 0] -> C[(i * 8), 0]: 128 float32 */
      CC_reply = 0;
      scratchpad_put(&C[i * 8][0], &AA[0][0], 512, &CC_reply);
      scratchpad_wait(&CC_reply, 1);
    }
  }
  scratchpad_meet();
  {
    /* j: 16 iterations over 2 cores, 8 at most for each */
    const long j_begin = min_i64(id * 8, 16);
    const long j_end = min_i64(j_begin + 8, 16);
    for (long j = j_begin; j < j_end; ++j) {
      C[31][j] = C[0][j];
    }
  }
}
