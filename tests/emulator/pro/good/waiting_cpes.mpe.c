#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(add)(void *);
extern void SLAVE_FUN(next)(void);

#define REQUIRE(condition) while (!(condition))

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  athread_init();
  athread_spawn(add, &parameters);
  athread_join();
  athread_enter64_arg();
  athread_spawn64_arg(add, &parameters);
  REQUIRE(athread_join64_arg() == 0 && athread_join64_arg() != 0);
  athread_leave64_arg();
  athread_enter64();
  athread_spawn64(next);
  athread_join64();
  athread_leave64();
  REQUIRE(y[63] == 2 * 63 + 1);
  athread_halt();
}
