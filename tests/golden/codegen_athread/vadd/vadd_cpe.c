/* vadd: what each CPE runs */
#include <slave.h>

#include "vadd.h"

static inline long min_i64(long a, long b) { return a < b ? a : b; }

static __thread_local vadd_args args;
static __thread_local volatile int args_reply;

void vadd_cpe(void *main_args) {
  /* The parameters come from main memory once */
  args_reply = 0;
  athread_get(PE_MODE, main_args, &args, sizeof(args), (void *)&args_reply, 0, 0, 0);
  while (args_reply != 1);

  const long id = athread_get_id(-1);
  const float *v1 = args.v1;
  const float *v2 = args.v2;
  float *v = args.v;

  {
    /* i: 1024 iterations over 64 cores, 16 at most for each */
    const long i_begin = min_i64(id * 16, 1024);
    const long i_end = min_i64(i_begin + 16, 1024);
    for (long i = i_begin; i < i_end; ++i) {
      v[i] = v1[i] + v2[i];
    }
  }
}
