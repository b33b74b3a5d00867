/* By the rule of the OpenACC style: an iteration is a tile of elements. */
#include "elementwise.h"
#include "slave.h"

#define CPES 64
#define TILE 1024
#define TILES ((N + TILE - 1) / TILE)

__thread_local volatile int reply;
__thread_local float x[TILE];
__thread_local float z[TILE];
__thread_local float y[TILE];

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

void elementwise(Parameters* shared) {
  Parameters p = *shared;
  for (int tile = athread_get_id(-1); tile < TILES; tile += CPES) {
    int first = tile * TILE;
    int count = first + TILE < N ? TILE : N - first;
    copy_in(p.X + first, x, count * 4);
    copy_in(p.Z + first, z, count * 4);
    for (int i = 0; i < count; ++i) {
      float sum = x[i] * p.scale + z[i];
      y[i] = sum > 0 ? sum : 0;
    }
    copy_out(y, p.Y + first, count * 4);
  }
}
