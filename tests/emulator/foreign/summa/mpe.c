#include <athread.h>
#include <stdint.h>
extern void SLAVE_FUN(summa)(void *);
typedef struct { const double *A, *B; double *C; int n; } para_t;
extern para_t *para_cross;
int entry(const double *A, const double *B, double *C) {
  static int inited = 0;
  if (!inited) { CRTS_init(); inited = 1; }
  para_t para = {A, B, C, 128};
  para_cross = &para;
  athread_spawn(summa, &para);
  athread_join();
  return 0;
}
