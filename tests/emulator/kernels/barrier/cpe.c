#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

/* Each CPE writes one element and, behind a barrier, adds what its neighbour wrote. */
void work(Parameters *p) {
  p->y[_MYID] = p->x[_MYID];
  athread_syn(ARRAY_SCOPE, 0xffff);
  float neighbour = p->y[(_MYID + 1) % 64];
  athread_syn(ROW_SCOPE, 0xff);
  athread_syn(COL_SCOPE, 0xff);
  athread_syn(ARRAY_SCOPE, 0xffff);
  p->y[_MYID] += neighbour;
}
