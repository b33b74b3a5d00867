#include "slave.h"

typedef struct {
  const float *x;
  float *y;
} Parameters;

__thread_local float small[100];
__thread_local float large[16 * 1024];

void work(Parameters *p) {
  small[_MYID] = p->x[_MYID];
  large[_MYID] = small[_MYID];
  p->y[_MYID] = large[_MYID];
}
