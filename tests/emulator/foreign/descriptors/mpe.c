#include <stdio.h>
#include <athread.h>
#include "args.h"
extern SLAVE_FUN(FJR_scale)();
int entry(double *in, double *out, double f) {
  ScalePara *p = (ScalePara*)malloc(sizeof(ScalePara));
  p->in = in; p->out = out; p->rows = ROWS; p->cols = COLS; p->f = f;
  athread_init();
  athread_spawn(FJR_scale, p);
  athread_join();
  free(p);
  athread_halt();
  return 0;
}
