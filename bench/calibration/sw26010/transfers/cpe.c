/* Three transfers are under way as long as there are some left: as many as a CPE can have. */
#include "transfers.h"
#include <slave.h>

#define BUFFERS 3
#define BUFFER_BYTES 16384

__thread_local char buffer[BUFFERS][BUFFER_BYTES] __attribute__((aligned(128)));
__thread_local volatile int reply[BUFFERS];

static unsigned long cycles(void) {
  unsigned long now;
  asm volatile("rcsr %0,4" : "=r"(now));
  return now;
}

static void start(const struct pattern* p, char* from, int which) {
  reply[which] = 0;
  if (p->is_put) {
    athread_put(PE_MODE, buffer[which], from, p->bytes, (void*)&reply[which], p->gap, p->block);
  } else {
    athread_get(PE_MODE, from, buffer[which], p->bytes, (void*)&reply[which], 0, p->gap, p->block);
  }
}

void work(struct job* shared) {
  struct job job = *shared;
  int id = athread_get_id(-1);
  for (int b = 0; b < BUFFERS; ++b)
    for (int k = 0; k < BUFFER_BYTES; ++k) buffer[b][k] = 0;
  for (int k = 0; k < job.count; ++k) {
    struct pattern p = job.patterns[k];
    char* from = job.memory + (long)id * p.region + p.offset;
    athread_syn(ARRAY_SCOPE, 0xffff);
    unsigned long begin = cycles();
    if (id < p.cpes) {
      for (int r = 0; r < p.requests; ++r) {
        if (r >= BUFFERS)
          while (reply[r % BUFFERS] != 1)
            ;
        start(&p, from, r % BUFFERS);
      }
      for (int r = 0; r < p.requests && r < BUFFERS; ++r)
        while (reply[r] != 1)
          ;
    }
    job.taken[k * 64 + id] = cycles() - begin;
  }
}
