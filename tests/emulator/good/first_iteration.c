#include "cpe.h"

__thread_local float last;
__thread_local float scale;
__thread_local struct {
  unsigned used : 1, kind : 3, count : 12;
} state;

/* What has no value yet is asked for behind a condition, and bit fields are set one by one. */
void work(Parameters *p) {
  float sum = 0;
  state.used = 0;
  state.count = 0;
  for (int i = 0; i < 20; ++i) {
    float x = p->x[_MYID * BLOCK + i];
    float before = i == 0 ? 0 : last * 2 + scale;
    sum += x - before;
    last = x;
    scale = 1;
    state.used = 1;
    state.count += 1;
  }
  if (state.used) state.kind = state.count & 3;
  p->y[_MYID] = sum + state.kind;
}
