#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "athread.h"

typedef struct {
  const double *x;
  double *y;
  long *count;
  char offset;
} Parameters;

extern SLAVE_FUN(first)();
extern SLAVE_FUN(second)();

static long visits[64];

int mixture(const double *x, double *y, long *count, char offset) {
  double *copy = malloc(64 * 64 * sizeof(double));
  Parameters parameters = {copy, y, visits, offset};
  memcpy(copy, x, 64 * 64 * sizeof(double));
  if (athread_init() != 0 || athread_get_max_threads() != 64) return 1;
  athread_spawn(first, &parameters);
  athread_join();
  athread_spawn(second, &parameters);
  athread_join();
  athread_halt();
  for (int i = 0; i < 64; ++i) count[i] = visits[i];
  free(copy);
  return 0;
}
