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

/* Every CPE gets the block, and the issuer's counter rises. */
#define BROADCAST(from, to, reply) \
  athread_get(BCAST_MODE, (void*)(from), to, BLOCK * 4, (void*)&(reply), 0xff, 0, 0)
/* Deals `count` blocks of 16 bytes out to the CPEs of the row. */
#define DEAL(from, to, count, reply) \
  athread_get(RANK_MODE, (void*)(from), to, (count)*16, (void*)&(reply), 0, 0, 16)
