/* matmul: what each CPE runs */
#include <slave.h>

#include "matmul.h"

static inline long min_i64(long a, long b) { return a < b ? a : b; }

static __thread_local matmul_args args;
static __thread_local volatile int args_reply;

/* LDM buffers: 33536 of 65536 bytes */
static __thread_local float CC[1][128] __attribute__((aligned(64)));
static __thread_local float AA[1][64] __attribute__((aligned(32)));
static __thread_local float BB[64][128] __attribute__((aligned(32)));

/* Completed transfers are counted here */
static __thread_local volatile int AA_reply;
static __thread_local volatile int BB_reply;
static __thread_local volatile int CC_reply;

void matmul_cpe(void *main_args) {
  /* The parameters come from main memory once */
  args_reply = 0;
  athread_get(PE_MODE, main_args, &args, sizeof(args), (void *)&args_reply, 0, 0, 0);
  while (args_reply != 1);

  const long id = athread_get_id(-1);
  const float (*A)[256] = (const float (*)[256])args.A;
  const float (*B)[512] = (const float (*)[512])args.B;
  float (*C)[512] = (float (*)[512])args.C;

  {
    /* yo: 4 iterations over 64 cores, 1 at most for each */
    const long yo_begin = min_i64(id, 4);
    const long yo_end = min_i64(yo_begin + 1, 4);
    for (long yo = yo_begin; yo < yo_end; ++yo) {
      for (long yi = 0; yi < 128; ++yi) {
        CC[0][yi] = 0.0f;
      }
      for (long ko = 0; ko < 4; ++ko) {
        /* get A[0, (ko * 64)] -> AA[0, 0]: 64 float32 */
        AA_reply = 0;
        athread_get(PE_MODE, (void *)&A[0][ko * 64], &AA[0][0], 256, (void *)&AA_reply, 0, 0, 0);
        /* get B[(ko * 64), (yo * 128)] -> BB[0, 0]: 64 x 128 float32 */
        BB_reply = 0;
        athread_get(PE_MODE, (void *)&B[ko * 64][yo * 128], &BB[0][0],
                    32768, (void *)&BB_reply, 0, 1536, 512);
        while (AA_reply != 1);
        while (BB_reply != 1);
        for (long ki = 0; ki < 64; ++ki) {
          for (long yi = 0; yi < 128; ++yi) {
            CC[0][yi] = CC[0][yi] + AA[0][ki] * BB[ki][yi];
          }
        }
      }
      /* put CC[0, 0] -> C[0, (yo * 128)]: 128 float32 */
      CC_reply = 0;
      athread_put(PE_MODE, &CC[0][0], (void *)&C[0][yo * 128], 512, (void *)&CC_reply, 0, 0);
      while (CC_reply != 1);
    }
  }
}
