#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(add)(void *);
extern void SLAVE_FUN(meet)(void *);
extern void SLAVE_FUN(one)(void *);

#define REQUIRE(condition) while (!(condition))

void entry(const float *x, float *y) {
  const unsigned long low = 0xffff, high = 0xffffffff00000000;
  Parameters parameters = {x, y};
  REQUIRE(athread_idle() == 0);
  if (athread_idle() == 0) athread_init();
  REQUIRE(athread_join() != 0 && athread_join_group(low) != 0 && athread_wait(3) != 0);
  REQUIRE(athread_idle() == ~0ul);
  athread_spawn_group(low, add, &parameters);
  athread_spawn_group(high, meet, &parameters);
  REQUIRE(athread_idle() == 0);
  REQUIRE(athread_join_group(high) == 0);
  REQUIRE(y[64 * 21] == 3);
  athread_create(40, one, &parameters); /* beside the first group */
  REQUIRE(athread_join_group(low) == 0);
  REQUIRE(y[0] == x[0] + 1 && y[64 * 15] == x[64 * 15] + 1);
  athread_create(7, one, &parameters);
  REQUIRE(athread_wait(40) == 0 && athread_wait(7) == 0 && athread_wait(7) != 0);
  REQUIRE(y[64 * 22 + 40] == 40 && y[64 * 22 + 7] == 7);
  athread_end(7);
  athread_spawn_group(low & ~(1ul << 7), add, &parameters);
  athread_join(); /* all that run */
  athread_halt();
  REQUIRE(athread_idle() == 0);
}
