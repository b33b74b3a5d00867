/* Loops of more and more code, which all CPEs run at once. */
#include <slave.h>

#define LOOPS 7
#define ROUNDS 16

void loop_8k(int rounds);
void loop_16k(int rounds);
void loop_20k(int rounds);
void loop_24k(int rounds);
void loop_32k(int rounds);
void loop_64k(int rounds);
void loop_96k(int rounds);

static unsigned long cycles(void) {
  unsigned long now;
  asm volatile("rcsr %0,4" : "=r"(now));
  return now;
}

static long further_rounds(void (*loop)(int)) {
  unsigned long begin;
  loop(1);
  begin = cycles();
  loop(ROUNDS);
  return cycles() - begin;
}

void work(long* taken) {
  long here[LOOPS];
  here[0] = further_rounds(loop_8k);
  here[1] = further_rounds(loop_16k);
  here[2] = further_rounds(loop_20k);
  here[3] = further_rounds(loop_24k);
  here[4] = further_rounds(loop_32k);
  here[5] = further_rounds(loop_64k);
  here[6] = further_rounds(loop_96k);
  if (_MYID != 0) return;
  for (int k = 0; k < LOOPS; ++k) taken[k] = here[k];
}
