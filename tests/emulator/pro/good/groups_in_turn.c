#include "cpe.h"

/* What a CPE keeps in its LDM from one start to the next. */
__thread_local int starts = 0;
__thread_local float value;

void count(Parameters *p) {
  ++starts;
  value = (float)(starts + 10 * CRTS_cgn);
  athread_dma_put(p->y + CRTS_cgn * 64 + CRTS_tid, &value, sizeof value);
  athread_ssync_node();
}
