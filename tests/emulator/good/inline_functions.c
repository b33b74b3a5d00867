#include "cpe.h"

/* Inline, but neither static nor extern: C99 makes no definition of it, these compilers inline it. */
inline __attribute__((noinline)) float twice(float x) { return x + x; }

void work(Parameters *p) { p->y[_MYID] = twice(p->x[_MYID]); }
