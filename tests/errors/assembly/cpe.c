#include "simd.h"
#include "slave.h"

void add(long a);
doublev4 sum(doublev4 v);

void call(void) {
  add(1);
  sum(simd_set_doublev4(0, 0, 0, 0));
}
void (*unused)(void) = call;
