#include <slave.h>

#define WORDS 256 /* of each CPE */

struct job {
  long* words;
  long* taken;
};

__thread_local long sum;

static unsigned long cycles(void) {
  unsigned long now;
  asm volatile("rcsr %0,4" : "=r"(now));
  return now;
}

void work(struct job* shared) {
  struct job job = *shared;
  int id = athread_get_id(-1);
  long* words = job.words + id * WORDS;
  long total = 0;
  unsigned long begin = cycles();
  for (int k = 0; k < WORDS; ++k) total += words[k];
  job.taken[id] = cycles() - begin;
  sum = total;

  begin = cycles();
  for (int k = 0; k < WORDS; ++k) words[k] = k;
  job.taken[64 + id] = cycles() - begin;
}
