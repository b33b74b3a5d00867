#include <crts.h>
#include "parameters.h"

/* crts.h brings the calls of the MPE too, and what their header includes. */
extern void SLAVE_FUN(work)(void *);

void entry(const float *x, float *y) {
  Parameters *parameters = malloc(sizeof *parameters);
  memset(parameters, 0, sizeof *parameters);
  parameters->x = x;
  parameters->y = y;
  crts_rply_t nothing = 0;
  if (nothing != 0) printf("%ld\n", (long)nothing);
  CRTS_init();
  unsigned long begin = CRTS_time_cycle();
  CRTS_athread_spawn(work, parameters);
  CRTS_athread_join();
  assert(CRTS_time_cycle() >= begin);
  CRTS_athread_halt();
  free(parameters);
#ifndef __sw_host__
#error "the MPE is the host"
#endif
}
