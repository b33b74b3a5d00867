#include "transfers.h"
#include <slave.h>

#define BUFFER_BYTES 131072

__thread_local char buffer[BUFFER_BYTES] __attribute__((aligned(128)));
__thread_local struct job job;
__thread_local struct pattern p;
__thread_local long mine;

static void repeat(char* at) {
  for (int r = 0; r < p.requests; ++r) {
    if (p.is_put)
      athread_dma_put(at, buffer, p.bytes);
    else
      athread_dma_get(buffer, at, p.bytes);
  }
}

void work(struct job* shared) {
  athread_dma_get(&job, shared, sizeof job);
  for (int k = 0; k < BUFFER_BYTES; ++k) buffer[k] = 0;
  for (int k = 0; k < job.count; ++k) {
    athread_dma_get(&p, job.patterns + k, sizeof p);
    char* at = job.memory + (long)_PEN * p.region + p.offset;
    mine = 0;
    athread_ssync_array();
    if (_PEN < p.cores) {
      unsigned long begin = athread_stime_cycle();
      repeat(at);
      mine = athread_stime_cycle() - begin;
    }
    athread_ssync_array();
    athread_dma_put(job.taken + k * 64 + _PEN, &mine, sizeof mine);
  }
}
