/* By the rule of the OpenACC style: an iteration is a row. */
#include "slave.h"
#include "softmax.h"
#include <math.h>

#define CPES 64

#if COLUMNS > 7500
#error "COLUMNS: at most 7500, as a row of X and one of Y must fit into 60000 bytes of the LDM"
#endif

__thread_local volatile int reply;
__thread_local float x[COLUMNS];
__thread_local float y[COLUMNS];

static void copy_in(const float* from, void* to, int bytes) {
  reply = 0;
  athread_get(PE_MODE, (void*)from, to, bytes, (void*)&reply, 0, 0, 0);
  while (reply != 1)
    ;
}

static void copy_out(void* from, float* to, int bytes) {
  reply = 0;
  athread_put(PE_MODE, from, to, bytes, (void*)&reply, 0, 0);
  while (reply != 1)
    ;
}

void softmax(Parameters* shared) {
  Parameters p = *shared;
  for (int row = athread_get_id(-1); row < ROWS; row += CPES) {
    float greatest, sum = 0;
    copy_in(p.X + row * COLUMNS, x, sizeof x);
    greatest = x[0];
    for (int j = 0; j < COLUMNS; ++j)
      if (x[j] > greatest) greatest = x[j];
    for (int j = 0; j < COLUMNS; ++j) {
      y[j] = expf(x[j] - greatest);
      sum += y[j];
    }
    for (int j = 0; j < COLUMNS; ++j) y[j] /= sum;
    copy_out(y, p.Y + row * COLUMNS, sizeof y);
  }
}
