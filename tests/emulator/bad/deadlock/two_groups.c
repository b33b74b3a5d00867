#include "cpe.h"

typedef struct {
  volatile int *mine, *other;
} Part;

/* Each group waits for the flag that the other one sets afterwards. */
void work(Part *p) {
  if (_MYID != 0) return;
#ifndef GOOD
  while (*p->other == 0);  // where
#endif
  *p->mine = 1;
}
