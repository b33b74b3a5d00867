#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(count)(void *);

#define REQUIRE(condition) while (!(condition))

/* All groups, the first one alone, two of them, and two beside another one. */
void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  athread_init_cgs();
  athread_spawn_cgs(count, &parameters);
  athread_join_cgs();
  athread_spawn(count, &parameters);
  athread_join();
  athread_spawn_cgmask(0x24, count, &parameters);
  athread_join_cgmask(0x24);
  athread_spawn_cgmask(0x6, count, &parameters);
  athread_spawn_cgmask(0x20, count, &parameters);
  athread_join_cgs();
  const int starts[] = {2, 2, 3, 1, 1, 3};
  for (int group = 0; group < 6; ++group)
    for (int id = 0; id < 64; ++id) REQUIRE(y[group * 64 + id] == starts[group] + 10 * group);
}
