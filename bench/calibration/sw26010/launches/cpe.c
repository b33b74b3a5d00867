#include <slave.h>

struct job {
  char* memory;
  int bytes;
  int gets;
};

__thread_local char buffer[8192] __attribute__((aligned(128)));
__thread_local volatile int reply;

void work(struct job* shared) {
  struct job job = *shared;
  char* from = job.memory + (long)athread_get_id(-1) * job.bytes * job.gets;
  for (int k = 0; k < job.gets; ++k) {
    reply = 0;
    athread_get(PE_MODE, from + (long)k * job.bytes, buffer, job.bytes, (void*)&reply, 0, 0, 0);
    while (reply != 1)
      ;
  }
}
