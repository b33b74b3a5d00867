#include "athread.h"
#include "pool.h"

extern void SLAVE_FUN(pool)(void*);

void pool_athread(const float* A, float* B) {
  Parameters parameters = {A, B};
  athread_init();
  athread_spawn(pool, &parameters);
  athread_join();
  athread_halt();
}
