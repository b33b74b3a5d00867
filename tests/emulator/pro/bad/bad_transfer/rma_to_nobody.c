#include "cpe.h"

__thread_local float a, b;

#ifdef GOOD
#define ROWS 1
#else
#define ROWS 0
#endif

void work(Parameters *p) {
  a = b = 1;
  athread_ssync_array();
  if (_MYID == 1) athread_rma_row_mcast(&b, &a, 4, ROWS, 0);  // where
}
