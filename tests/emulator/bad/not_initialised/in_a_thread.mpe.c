#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

static void *part(void *argument) {
#ifdef GOOD
  athread_init();
#endif
  athread_spawn(work, argument);  // where
  athread_join();
  return NULL;
}

/* The first thread's athread_init is its own. */
void entry(const float *x, float *y) {
  Parameters parameters = {x, y};
  pthread_t thread;
  athread_init();
  pthread_create(&thread, NULL, part, &parameters);
  pthread_join(thread, NULL);
}
