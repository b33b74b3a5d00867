#include "cpe.h"

/* Reductions over all CPEs, as public solvers call them: into the stack, into the LDM, in place, and in
   pieces of what the buffer holds. */
__thread_local double buffer[64];
__thread_local long words[150], kept[150];
__thread_local float many[BLOCK];

void work(Parameters *p) {
  const int id = CRTS_tid;
  double own = id + 0.5, sum = 0;
  CRTS_scoll_redurt(&own, &sum, 1, CRTS_double, OP_add, buffer, 64);
  REQUIRE(sum == 64 * 63 / 2 + 32 && own == id + 0.5);

  for (int i = 0; i < 150; ++i) words[i] = kept[i] = (i + id) % 64;
  athread_redurt(words, words, 150, athread_long, OP_max, buffer, 7);
  for (int i = 0; i < 150; ++i) REQUIRE(words[i] == 63);
  athread_redurt(kept, words, 150, athread_ulong, OP_xor, buffer, 64);
  for (int i = 0; i < 150; ++i) REQUIRE(words[i] == 0);
  unsigned bits = 1u << id % 32, all = 0, none = ~0u;
  athread_redurt(&bits, &all, 1, athread_uint, OP_or, buffer, 1);
  athread_redurt(&bits, &none, 1, athread_uint, OP_and, buffer, 1);
  REQUIRE(all == ~0u && none == 0);

  floatv8 vector, least;
  for (int i = 0; i < 8; ++i) vector[i] = (float)((id * 5 + i) % 64 - 20);
  athread_redurt(&vector, &least, 1, athread_floatv8, OP_min, buffer, 16);
  for (int i = 0; i < 8; ++i) REQUIRE(least[i] == -20);
  for (int i = 0; i < BLOCK; ++i) many[i] = least[i % 8];
  athread_dma_put(p->y + id * BLOCK, many, sizeof many);
}
