#include "athread.h"
#include "conv.h"

extern void SLAVE_FUN(conv)(struct conv*);

void conv_registers(const double* X, const double* W, double* Y) {
  struct conv conv = {X, W, Y};
  athread_init();
  athread_spawn(conv, &conv);
  athread_join();
  athread_halt();
}
