#include "remote_copies.h"
#include <slave.h>

#define BUFFER_BYTES 65536

__thread_local char from[BUFFER_BYTES] __attribute__((aligned(128)));
/* What comes from each of four: nobody writes where another does. */
__thread_local char to[4][BUFFER_BYTES / 2] __attribute__((aligned(128)));
__thread_local athread_rply_t sent, received;
__thread_local struct job job;
__thread_local struct part p;
__thread_local long mine;

static char* place(int w) {
  /* Clusters are of 2 x 2; of those further away only one sends. */
  int slot = _ROW % 2 * 2 + _COL % 2;
  return p.window * p.bytes > BUFFER_BYTES / 2 ? to[0] + w * p.bytes : to[slot] + w * p.bytes;
}

static void there_and_back(int is_first) {
  for (int r = 0; r < p.rounds; ++r) {
    if (!is_first) athread_rma_wait_value(&received, r + 1);
    athread_rma_iput(from, &sent, p.bytes, p.to[0], to[0], &received);
    athread_rma_wait_value(&sent, r + 1);
    if (is_first) athread_rma_wait_value(&received, r + 1);
  }
}

static void stream(void) {
  int issued = 0;
  for (int r = 0; r < p.rounds; ++r) {
    for (int w = 0; w < p.window; ++w)
      for (int k = 0; k < 3 && p.to[k] >= 0; ++k) {
        athread_rma_iput(from + w * p.bytes, &sent, p.bytes, p.to[k], place(w), &received);
        ++issued;
      }
    athread_rma_wait_value(&sent, issued);
  }
  athread_rma_wait_value(&received, p.expected);
}

void work(struct job* shared) {
  athread_dma_get(&job, shared, sizeof job);
  for (int k = 0; k < BUFFER_BYTES; ++k) from[k] = 0;
  for (int k = 0; k < job.count; ++k) {
    athread_dma_get(&p, job.parts + k * 64 + _PEN, sizeof p);
    sent = received = 0;
    athread_ssync_array();
    unsigned long begin = athread_stime_cycle();
    if (p.role == STREAM) stream();
    if (p.role == FIRST || p.role == SECOND) there_and_back(p.role == FIRST);
    mine = p.role == IDLE ? 0 : athread_stime_cycle() - begin;
    athread_ssync_array();
    athread_dma_put(job.taken + k * 64 + _PEN, &mine, sizeof mine);
  }
}
