#include <stdlib.h>
#include "athread.h"

typedef struct {
  const float *x;
  float *y;
  int starts;
} Part;

extern void SLAVE_FUN(scale)(Part *);

#define GROUPS 4
#define ELEMENTS (16 * 64)
#define REQUIRE(condition) while (!(condition))

static void check(const Part *part, int starts) {
  for (int i = 0; i < ELEMENTS; ++i) REQUIRE(part->y[i] == part->x[i] + i / 64 + starts);
}

static void *work(void *argument) {
  Part *const part = (Part *)argument;
  athread_init();
  for (part->starts = 0; part->starts < 3; ++part->starts) {
    athread_spawn(scale, part);
    athread_join();
  }
  check(part, 3);
  return &part->y[0];
}

static void *prepare(void *argument) {
  athread_init();
  return argument;
}

/* The first thread uses a group before the others, and again after them. */
void entry(const float *x, float *y) {
  Part *parts[GROUPS], all = {x, y, 0};
  pthread_t threads[GROUPS];
  athread_init();
  athread_spawn(scale, &all);
  athread_join();
  check(&all, 1);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < GROUPS; ++i) {
      parts[i] = (Part *)malloc(sizeof(Part));
      parts[i]->x = x + i * ELEMENTS;
      parts[i]->y = y + i * ELEMENTS;
      pthread_create(&threads[i], NULL, work, parts[i]);
    }
    for (int i = 0; i < GROUPS; ++i) {
      void *result = NULL;
      pthread_join(threads[i], &result);
      REQUIRE(result == (void *)parts[i]->y && y[i * ELEMENTS] == x[0] + 3);
      free(parts[i]);
    }
  }
  /* More than there are groups, one after the other. */
  pthread_t many[6];
  for (int i = 0; i < 6; ++i) pthread_create(&many[i], NULL, prepare, NULL);
  for (int i = 0; i < 6; ++i) pthread_join(many[i], NULL);
}
