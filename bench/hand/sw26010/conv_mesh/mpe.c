#include "athread.h"
#include "conv.h"

extern void SLAVE_FUN(conv)(struct conv*);

void conv_mesh(const float* A, const float* W, float* B) {
  struct conv conv = {A, W, B};
  athread_init();
  athread_spawn(conv, &conv);
  athread_join();
  athread_halt();
}
