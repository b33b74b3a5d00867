#include "athread.h"

typedef struct {
  float *y;
  int group;
} Part;

extern void SLAVE_FUN(put)(Part *);

static void *work(void *part) {
  athread_init();
  athread_spawn(put, part);
  athread_join();
  return NULL;
}

void entry(const float *x, float *y) {
  Part parts[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    parts[i].y = y;
    parts[i].group = i;
    pthread_create(&threads[i], NULL, work, &parts[i]);
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
