#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

static void *part(void *argument) {
  athread_init();
  athread_spawn(work, argument);  // where
#ifdef GOOD
  athread_join();
#endif
  return NULL;
}

void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  pthread_t thread;
  pthread_create(&thread, NULL, part, &parameters);
  pthread_join(thread, NULL);
}
