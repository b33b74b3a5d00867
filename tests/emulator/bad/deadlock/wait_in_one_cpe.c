#include "cpe.h"

__thread_local volatile int reply;

/* Nobody starts what CPE 5 waits for. */
void work(Parameters *p) {
  reply = 0;
#ifdef GOOD
  if (_MYID == 64) {
#else
  if (_MYID == 5) {
#endif
    while (reply == 0);  // where
  }
  p->y[_MYID] = p->x[_MYID];
}
