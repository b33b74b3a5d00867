#include "athread.h"
#include "rl.h"
extern void SLAVE_FUN(user_op_add)(double *, const Pack *);
extern void SLAVE_FUN(user_op_max)(double *, const Pack *);
extern void SLAVE_FUN(unstructured_iter)(Arg *);
void entry(const double *edge, double *vertex, int which) {
  Arg arg = { (double *)edge, vertex, 64, which ? (void*)SLAVE_FUN(user_op_max) : (void*)SLAVE_FUN(user_op_add), which };
  athread_init();
  __real_athread_spawn((void*)SLAVE_FUN(unstructured_iter), &arg);
  athread_join();
}
