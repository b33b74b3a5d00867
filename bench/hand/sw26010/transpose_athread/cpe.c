/* Main memory bounds it, by the lengths of its blocks: 512 bytes of A and 256 bytes of B. If rows
 * of B begin within a transaction of 128 bytes, every block writes two of them in part; then blocks
 * of B are longer and there are fewer, 768 bytes for 256 bytes of A.
 *
 * A tile lands in one get. It is transposed in pieces of some columns, blocks of 4 x 4 in
 * registers, while the put of the piece before is in flight; the next tile is on its way while the
 * last pieces leave. One landing is enough: transposing takes a tenth of the time, and other CPEs
 * have transfers meanwhile. So it may be larger, and its blocks longer. */
#include "simd.h"
#include "slave.h"
#include "transpose.h"

#define CPES 64
#if ROWS % 32 == 0
#define TILE_ROWS 64
#define TILE_COLUMNS 128
#define PIECE 32 /* columns */
#else
#define TILE_ROWS 192
#define TILE_COLUMNS 64
#define PIECE 8
#endif
#define TILES_IN_ROW ((COLUMNS + TILE_COLUMNS - 1) / TILE_COLUMNS)
#define TILES ((ROWS + TILE_ROWS - 1) / TILE_ROWS * TILES_IN_ROW)

__thread_local volatile int get_reply, put_reply[2];
__thread_local float landing[TILE_ROWS * TILE_COLUMNS] __attribute__((aligned(32)));
__thread_local float pieces[2][PIECE * TILE_ROWS] __attribute__((aligned(32)));

typedef struct {
  int row, column;   /* its first */
  int rows, columns; /* their numbers */
} Tile;

static int least(int a, int b) { return a < b ? a : b; }

static Tile place_of(int number) {
  Tile tile = {number / TILES_IN_ROW * TILE_ROWS, number % TILES_IN_ROW * TILE_COLUMNS, 0, 0};
  tile.rows = least(TILE_ROWS, ROWS - tile.row);
  tile.columns = least(TILE_COLUMNS, COLUMNS - tile.column);
  return tile;
}

static void start_get(const float* A, int number) {
  Tile tile = place_of(number);
  get_reply = 0;
  athread_get(PE_MODE, (void*)(A + tile.row * COLUMNS + tile.column), landing,
              tile.rows * tile.columns * 4, (void*)&get_reply, 0, (COLUMNS - tile.columns) * 4,
              tile.columns * 4);
}

/* Four columns of `rows` rows, `step` elements apart, become four rows. */
static void transpose_vectors(const float* from, int step, float* to, int rows) {
  for (int i = 0; i < rows; i += 4, from += 4 * step) {
    floatv4 a0, a1, a2, a3;
    simd_load(a0, from);
    simd_load(a1, from + step);
    simd_load(a2, from + 2 * step);
    simd_load(a3, from + 3 * step);
    floatv4 low01 = simd_vshff(a1, a0, 0x44), high01 = simd_vshff(a1, a0, 0xee);
    floatv4 low23 = simd_vshff(a3, a2, 0x44), high23 = simd_vshff(a3, a2, 0xee);
    simd_store(simd_vshff(low23, low01, 0x88), to + i);
    simd_store(simd_vshff(low23, low01, 0xdd), to + rows + i);
    simd_store(simd_vshff(high23, high01, 0x88), to + 2 * rows + i);
    simd_store(simd_vshff(high23, high01, 0xdd), to + 3 * rows + i);
  }
}

/* Columns that are not a multiple of 4, or whose rows are not, go number by number. */
static void transpose_numbers(const float* from, int step, float* to, int rows, int columns) {
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) to[j * rows + i] = from[i * step + j];
}

static void transpose_piece(const Tile* tile, int column, int columns, float* to) {
  const float* from = landing + column;
  if (tile->rows % 4 == 0 && tile->columns % 4 == 0)
    for (int j = 0; j < columns; j += 4)
      transpose_vectors(from + j, tile->columns, to + j * tile->rows, tile->rows);
  else
    transpose_numbers(from, tile->columns, to, tile->rows, columns);
}

static void start_put(float* B, const Tile* tile, int column, int columns, int half) {
  put_reply[half] = 0;
  athread_put(PE_MODE, pieces[half], B + (tile->column + column) * ROWS + tile->row,
              columns * tile->rows * 4, (void*)&put_reply[half], (ROWS - tile->rows) * 4,
              tile->rows * 4);
}

void transpose(Parameters* shared) {
  Parameters p = *shared;
  int first = athread_get_id(-1), piece = 0;
  if (first < TILES) start_get(p.A, first);
  for (int number = first; number < TILES; number += CPES) {
    Tile tile = place_of(number);
    while (get_reply != 1)
      ;
    for (int column = 0; column < tile.columns; column += PIECE, ++piece) {
      int half = piece % 2, columns = least(PIECE, tile.columns - column);
      if (piece >= 2)
        while (put_reply[half] != 1)
          ;
      transpose_piece(&tile, column, columns, pieces[half]);
      start_put(p.B, &tile, column, columns, half);
    }
    if (number + CPES < TILES) start_get(p.A, number + CPES);
  }
  if (piece > 0)
    while (put_reply[0] != 1)
      ;
  if (piece > 1)
    while (put_reply[1] != 1)
      ;
}
