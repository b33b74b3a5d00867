#include "athread.h"
typedef struct { float *A, *B; int M, K; } P;
extern void SLAVE_FUN(sw_rank)();
void entry(float *A, float *B) { P p = {A, B, 64, 64}; athread_init(); athread_spawn(sw_rank, &p); athread_join(); }
