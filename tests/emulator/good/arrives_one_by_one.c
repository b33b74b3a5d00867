#include "cpe.h"

/* Each wait is for one element, and the loop around the waits is a copy. */
__thread_local float from[2], to[2];
__thread_local volatile int replies[2], reply;

void work(Parameters *p) {
  if (_MYID != 0) return;
  for (int i = 0; i < 2; ++i) {
    replies[i] = 0;
    athread_get(PE_MODE, (void *)(p->x + i), &from[i], 4, (void *)&replies[i], 0, 0, 0);
  }
  for (int i = 0; i < 2; ++i) {
    while (replies[i] != 1);
    to[i] = from[i];
  }
  reply = 0;
  athread_put(PE_MODE, to, p->y, 8, (void *)&reply, 0, 0);
  while (reply != 1);
}
