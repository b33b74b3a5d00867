#include "cpe.h"

typedef struct {
#ifdef GOOD
  int kind, rows, columns, unused;
#else
  int kind, rows;
#endif
  float values[4];
} Record __attribute__((aligned(32)));

__thread_local Record record;

/* The vector lies behind what a record begins with. */
void work(Parameters *p) {
  floatv4 v = 1.0f;
  record.kind = 3;
  simd_store(v, record.values);  // where
  simd_load(v, record.values);
  p->y[_MYID] = simd_vextf2(v) + record.kind;
}
