#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(add)(void *);

#define REQUIRE(condition) while (!(condition))

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  athread_init();
  athread_set_num_threads(3); /* spawn64 starts all */
  athread_enter64();
  for (int round = 0; round < 3; ++round) {
    athread_spawn64(SLAVE_FUN(add), &parameters);
    REQUIRE(athread_join64() == 0);
    REQUIRE(y[64 * 63] == x[64 * 63] + 1 + round);
  }
  REQUIRE(athread_join64() != 0);
  athread_leave64();
  athread_spawn(add, &parameters);
  athread_join();
  REQUIRE(y[64 * 2] == x[64 * 2] + 4 && y[64 * 3] == x[64 * 3] + 3);
  athread_halt();
}
