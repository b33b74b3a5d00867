#include "athread.h"
#include "fc.h"

extern void SLAVE_FUN(fc)(struct fc*);

void fc_mesh(const float* W, const float* x, float* y) {
  struct fc fc = {W, x, y};
  athread_init();
  athread_spawn(fc, &fc);
  athread_join();
  athread_halt();
}
