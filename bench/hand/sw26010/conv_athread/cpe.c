/* A mesh row has 7 rows of the result, a mesh column 8 of its channels.
 *
 * The image comes in groups of 4 rows of each channel, as many as the stride: one strided get of
 * 10.5 KB per row of the result, in flight while the row before is computed. Three groups (12 rows)
 * lie in the LDM with their zeros around them, so that the loops have no edges. The weights stay,
 * transposed so that one vector is 4 channels of the result: 5 pixels x 8 channels in registers, 10
 * vmas for 7 loads. */
#include "conv.h"
#include "simd.h"
#include "slave.h"

#define MY_FILTERS 8
#define MY_ROWS 7
#define PIXELS 5
#define GROUPS 3
#define MARGIN 4 /* columns left of the image, so that its rows are aligned; 2 of them are used */
#define WIDTH (MARGIN + SIZE + 4)
#define TAPS (CHANNELS * KERNEL * KERNEL)

__thread_local volatile int get_reply;
__thread_local volatile int put_reply[2];
__thread_local float landing[MY_FILTERS * TAPS] __attribute__((aligned(32)));
__thread_local float weights[CHANNELS][KERNEL][KERNEL][MY_FILTERS] __attribute__((aligned(32)));
__thread_local float image[GROUPS][CHANNELS][STRIDE][WIDTH] __attribute__((aligned(32)));
__thread_local float result[2][MY_FILTERS][OUT] __attribute__((aligned(32)));

static int first_row(int group) {
  int row = group * STRIDE - PADDING;
  return row < 0 ? 0 : row;
}

static int last_row(int group) {
  int row = group * STRIDE - PADDING + STRIDE;
  return row > SIZE ? SIZE : row;
}

static void load_weights(const float* W) {
  get_reply = 0;
  athread_get(PE_MODE, (void*)(W + _COL * MY_FILTERS * TAPS), landing, MY_FILTERS * TAPS * 4,
              (void*)&get_reply, 0, 0, 0);
  while (get_reply != 1)
    ;
  float* to = &weights[0][0][0][0];
  for (int tap = 0; tap < TAPS; ++tap)
    for (int f = 0; f < MY_FILTERS; ++f) to[tap * MY_FILTERS + f] = landing[f * TAPS + tap];
}

static void start_group(const float* A, int group) {
  int bytes = (last_row(group) - first_row(group)) * SIZE * 4;
  get_reply = 0;
  athread_get(PE_MODE, (void*)(A + first_row(group) * SIZE), landing, CHANNELS * bytes,
              (void*)&get_reply, 0, SIZE * SIZE * 4 - bytes, bytes);
}

/* Waits for a group and copies it between its zeros. */
static void finish_group(int group) {
  int rows = last_row(group) - first_row(group);
  int above = first_row(group) - (group * STRIDE - PADDING);
  floatv4 zero = simd_set_floatv4(0, 0, 0, 0), v;
  while (get_reply != 1)
    ;
  for (int c = 0; c < CHANNELS; ++c)
    for (int r = 0; r < STRIDE; ++r) {
      float* to = image[group % GROUPS][c][r] + MARGIN;
      if (r < above || r >= above + rows) {
        for (int x = 0; x < SIZE; x += 4) simd_store(zero, to + x);
        continue;
      }
      const float* from = landing + (c * rows + r - above) * SIZE;
      for (int x = 0; x < SIZE; x += 8) {
        floatv4 w;
        simd_load(v, from + x);
        simd_load(w, from + x + 4);
        simd_store(v, to + x);
        simd_store(w, to + x + 4);
      }
    }
}

static void clear_margins(void) {
  floatv4 zero = simd_set_floatv4(0, 0, 0, 0);
  for (int g = 0; g < GROUPS; ++g)
    for (int c = 0; c < CHANNELS; ++c)
      for (int r = 0; r < STRIDE; ++r) {
        simd_store(zero, image[g][c][r]);
        simd_store(zero, image[g][c][r] + MARGIN + SIZE);
      }
}

static void store_pixel(float (*to)[OUT], int x, floatv4 low, floatv4 high) {
  to[0][x] = simd_vextf0(low);
  to[1][x] = simd_vextf1(low);
  to[2][x] = simd_vextf2(low);
  to[3][x] = simd_vextf3(low);
  to[4][x] = simd_vextf0(high);
  to[5][x] = simd_vextf1(high);
  to[6][x] = simd_vextf2(high);
  to[7][x] = simd_vextf3(high);
}

/* PIXELS pixels from column x of row y on, 8 channels. */
static void compute_pixels(int y, int x, float (*to)[OUT]) {
  floatv4 zero = simd_set_floatv4(0, 0, 0, 0);
  floatv4 a0 = zero, a1 = zero, a2 = zero, a3 = zero, a4 = zero;
  floatv4 b0 = zero, b1 = zero, b2 = zero, b3 = zero, b4 = zero;
  for (int c = 0; c < CHANNELS; ++c)
    for (int ry = 0; ry < KERNEL; ++ry) {
      const float* from =
          image[(y + ry / STRIDE) % GROUPS][c][ry % STRIDE] + MARGIN - PADDING + x * STRIDE;
      const float* w = weights[c][ry][0];
      for (int rx = 0; rx < KERNEL; ++rx, ++from, w += MY_FILTERS) {
        floatv4 low, high, p0, p1, p2, p3, p4;
        simd_load(low, w);
        simd_load(high, w + 4);
        simd_loade(p0, from);
        simd_loade(p1, from + STRIDE);
        simd_loade(p2, from + 2 * STRIDE);
        simd_loade(p3, from + 3 * STRIDE);
        simd_loade(p4, from + 4 * STRIDE);
        a0 = simd_vmas(p0, low, a0);
        b0 = simd_vmas(p0, high, b0);
        a1 = simd_vmas(p1, low, a1);
        b1 = simd_vmas(p1, high, b1);
        a2 = simd_vmas(p2, low, a2);
        b2 = simd_vmas(p2, high, b2);
        a3 = simd_vmas(p3, low, a3);
        b3 = simd_vmas(p3, high, b3);
        a4 = simd_vmas(p4, low, a4);
        b4 = simd_vmas(p4, high, b4);
      }
    }
  store_pixel(to, x, a0, b0);
  store_pixel(to, x + 1, a1, b1);
  store_pixel(to, x + 2, a2, b2);
  store_pixel(to, x + 3, a3, b3);
  store_pixel(to, x + 4, a4, b4);
}

void conv(Parameters* p) {
  const float* A = p->A;
  float* B = p->B;
  int begin = _ROW * MY_ROWS;
  int end = begin + MY_ROWS < OUT ? begin + MY_ROWS : OUT;

  load_weights(p->W);
  clear_margins();
  start_group(A, begin);
  finish_group(begin);
  start_group(A, begin + 1);
  finish_group(begin + 1);
  start_group(A, begin + 2);
  for (int y = begin; y < end; ++y) {
    finish_group(y + 2);
    if (y + 1 < end) start_group(A, y + 3);
    int half = (y - begin) % 2;
    if (y - begin >= 2)
      while (put_reply[half] != 1)
        ;
    for (int x = 0; x < OUT; x += PIXELS) compute_pixels(y, x, result[half]);
    put_reply[half] = 0;
    athread_put(PE_MODE, result[half], B + (_COL * MY_FILTERS * OUT + y) * OUT,
                MY_FILTERS * OUT * 4, (void*)&put_reply[half], (OUT - 1) * OUT * 4, OUT * 4);
  }
  while (put_reply[0] != 1)
    ;
  while (put_reply[1] != 1)
    ;
}
