#include "cpe.h"

/* CPEs of all groups take pieces of the work from one counter, and add to one sum under a lock. */
#define PIECES 1000
__uncached long next_piece, lock, sum, last;

static long take_piece(void) {
  long piece;
  asm volatile("faal %0, 0(%1)\n\t" : "=r"(piece) : "r"(&next_piece) : "memory");
  return piece;
}

void work(Parameters *p) {
  long mine = 0;
  for (long piece = take_piece(); piece < PIECES; piece = take_piece()) mine += piece;
  athread_lock(&lock);
  sum += mine;
  athread_unlock(&lock);
  athread_ssync_node();
  if (CRTS_cgn != 2 || CRTS_tid != 7) return;
  REQUIRE(sum == (long)PIECES * (PIECES - 1) / 2);
  REQUIRE(_crts_faa_long(&last) == 0 && _crts_faa_long(&last) == 1);
}
