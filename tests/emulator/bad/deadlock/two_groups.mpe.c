#include "athread.h"

typedef struct {
  volatile int *mine, *other;
} Part;

extern void SLAVE_FUN(work)(Part *);

static volatile int flags[2];

static void *part(void *argument) {
  athread_init();
  athread_spawn(work, (Part *)argument);
  athread_join();
  return NULL;
}

void entry(const float *x, float *y) {
  Part parts[2] = {{&flags[0], &flags[1]}, {&flags[1], &flags[0]}};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, part, &parts[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
