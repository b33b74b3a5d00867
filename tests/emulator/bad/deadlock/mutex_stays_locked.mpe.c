#include "athread.h"
#include "parameters.h"

extern void SLAVE_FUN(work)(void *);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *part(void *argument) {
  pthread_mutex_lock(&mutex);
  athread_init();
  athread_spawn(work, argument);
  athread_join();
#ifdef GOOD
  pthread_mutex_unlock(&mutex);
#endif
  return NULL;
}

void entry(const float *x, float *y) {
  Parameters parameters[2] = {{x, y}, {x, y + 64}};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, part, &parameters[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);  // where
}
