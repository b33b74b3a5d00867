#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

static Parameters parameters;

static void *part(void *argument) {
  athread_init();
  athread_spawn(work, argument);
  athread_join();
  return NULL;
}

void entry(const float *x, float *y) {
  pthread_t thread;
  parameters.x = x;
  parameters.y = y;
  pthread_create(&thread, NULL, part, &parameters);  // where
#ifdef GOOD
  pthread_join(thread, NULL);
#endif
}
