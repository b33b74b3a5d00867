/* By the rule of the OpenACC style: an iteration is a row, in pieces where it is long. */
#include "slave.h"
#include "stencil.h"

#define CPES 64
#define PIECE 3600 /* columns */

__thread_local volatile int reply;
__thread_local float rows[3 * (PIECE + 2)];
__thread_local float result[PIECE];

static int least(int a, int b) { return a < b ? a : b; }

static void copy_in(const float* from, void* to, int bytes, int gap, int block) {
  reply = 0;
  athread_get(PE_MODE, (void*)from, to, bytes, (void*)&reply, 0, gap, block);
  while (reply != 1)
    ;
}

static void copy_out(void* from, float* to, int bytes) {
  reply = 0;
  athread_put(PE_MODE, from, to, bytes, (void*)&reply, 0, 0);
  while (reply != 1)
    ;
}

/* Columns from `begin` to `end` of a row at the border of the grid. */
static void copy_piece(const Parameters* p, int i, int begin, int end) {
  copy_in(p->from + i * COLUMNS + begin, rows, (end - begin) * 4, 0, 0);
  for (int j = 0; j < end - begin; ++j) result[j] = rows[j];
  copy_out(result, p->to + i * COLUMNS + begin, (end - begin) * 4);
}

/* Columns from `begin` to `end` of another one. */
static void compute_piece(const Parameters* p, int i, int begin, int end) {
  int left = begin == 0 ? 0 : begin - 1;
  int width = least(end + 1, COLUMNS) - left;
  copy_in(p->from + (i - 1) * COLUMNS + left, rows, 3 * width * 4, (COLUMNS - width) * 4,
          width * 4);
  const float *above = rows, *row = rows + width, *below = row + width;
  for (int j = begin; j < end; ++j) {
    int k = j - left;
    if (j == 0 || j == COLUMNS - 1)
      result[j - begin] = row[k];
    else
      result[j - begin] = (((above[k] + below[k]) + row[k - 1]) + row[k + 1]) * 0.25F;
  }
  copy_out(result, p->to + i * COLUMNS + begin, (end - begin) * 4);
}

void step(Parameters* shared) {
  Parameters p = *shared;
  for (int i = athread_get_id(-1); i < ROWS; i += CPES)
    for (int begin = 0; begin < COLUMNS; begin += PIECE) {
      int end = least(begin + PIECE, COLUMNS);
      if (i == 0 || i == ROWS - 1)
        copy_piece(&p, i, begin, end);
      else
        compute_piece(&p, i, begin, end);
    }
}
