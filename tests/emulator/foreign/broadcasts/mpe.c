#include <athread.h>
#include <assert.h>
typedef struct _tag { void *A, *B; int M; int K; float *C; } tag;
extern void SLAVE_FUN(sw_slave_ip)(void*);
static int is_init = 0;
void entry(float *A, float *B, float *C) {
  tag para; para.A = A; para.B = B; para.M = 128; para.K = 512; para.C = C;
  assert(para.M % 64 == 0);
  if (!is_init) { athread_init(); is_init = 1; }
  athread_set_num_threads(64);
  for (int rep = 0; rep < 2; ++rep) {
    athread_spawn(sw_slave_ip, &para);
    athread_join();
  }
}
