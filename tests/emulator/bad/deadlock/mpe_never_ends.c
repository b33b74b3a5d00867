#include "cpe.h"

void work(Parameters *p) { p->y[_MYID] = p->x[_MYID]; }
