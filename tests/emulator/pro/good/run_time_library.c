#include <crts.h>
#include <simd.h>
#include "parameters.h"

__thread_local char odd[33];

/* Vectors of 64 bytes lie in blocks of ldm_malloc without further ado. */
void work(Parameters *p) {
  odd[32] = 1;
  doublev8 *first = ldm_malloc(100), *second = ldm_malloc(sizeof(doublev8));
  *first = simd_set_doublev8(1, 2, 3, 4, 5, 6, 7, 8);
  *second = *first + *first;
  p->y[_MYID] = ((double *)second)[7] + odd[32];
  ldm_free(second, sizeof(doublev8));
  ldm_free(first, 100);
#ifndef __sw_slave__
#error "a CPE is a slave"
#endif
}
