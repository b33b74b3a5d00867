#include "parameters.h"
#include "simd.h"
#include "slave.h"

#define BLOCK 64

/* Moves one block and counts in `reply`. */
#define GET(from, to, reply) \
  athread_get(PE_MODE, (void*)(from), to, BLOCK * 4, (void*)&(reply), 0, 0, 0)
#define PUT(from, to, reply) athread_put(PE_MODE, from, to, BLOCK * 4, (void*)&(reply), 0, 0)

/* A loop without end, which is reported with its line, where the condition does not hold. */
#define REQUIRE(condition) while (!(condition))
