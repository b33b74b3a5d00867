/* By the rule of the OpenACC style: an iteration is a tile of 64 x 64 elements. */
#include "slave.h"
#include "transpose.h"

#define CPES 64
#define TILE 64
#define TILES_IN_ROW ((COLUMNS + TILE - 1) / TILE)
#define TILES ((ROWS + TILE - 1) / TILE * TILES_IN_ROW)

__thread_local volatile int reply;
__thread_local float a[TILE * TILE];
__thread_local float b[TILE * TILE];

static int least(int a, int b) { return a < b ? a : b; }

static void copy_in(const float* from, void* to, int bytes, int gap, int block) {
  reply = 0;
  athread_get(PE_MODE, (void*)from, to, bytes, (void*)&reply, 0, gap, block);
  while (reply != 1)
    ;
}

static void copy_out(void* from, float* to, int bytes, int gap, int block) {
  reply = 0;
  athread_put(PE_MODE, from, to, bytes, (void*)&reply, gap, block);
  while (reply != 1)
    ;
}

void transpose(Parameters* shared) {
  Parameters p = *shared;
  for (int tile = athread_get_id(-1); tile < TILES; tile += CPES) {
    int row = tile / TILES_IN_ROW * TILE, column = tile % TILES_IN_ROW * TILE;
    int rows = least(TILE, ROWS - row), columns = least(TILE, COLUMNS - column);
    int bytes = rows * columns * 4;
    copy_in(p.A + row * COLUMNS + column, a, bytes, (COLUMNS - columns) * 4, columns * 4);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) b[j * rows + i] = a[i * columns + j];
    copy_out(b, p.B + column * ROWS + row, bytes, (ROWS - rows) * 4, rows * 4);
  }
}
