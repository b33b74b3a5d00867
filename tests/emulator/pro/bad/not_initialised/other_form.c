#include "cpe.h"

__thread_local float value;

void work(Parameters *p) {
  value = 1;
  athread_dma_put(p->y + CRTS_cgn * 64 + _MYID, &value, sizeof value);
}
