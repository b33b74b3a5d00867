/* By the rule of the OpenACC style: an iteration is a row, in pieces where it is long. */
#include "reduce.h"
#include "slave.h"

#define CPES 64
#define PIECE 14000 /* columns */

__thread_local volatile int reply;
__thread_local float a[PIECE];
__thread_local float b;

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

void reduce(Parameters* shared) {
  Parameters p = *shared;
  for (int row = athread_get_id(-1); row < ROWS; row += CPES) {
    b = 0;
    for (int first = 0; first < COLUMNS; first += PIECE) {
      int count = first + PIECE < COLUMNS ? PIECE : COLUMNS - first;
      copy_in(p.A + row * COLUMNS + first, a, count * 4);
      for (int j = 0; j < count; ++j) b += a[j];
    }
    copy_out(&b, p.B + row, sizeof b);
  }
}
