/* A convolution of one image as products by register communication, in the style of swGEMM.
 *
 * A pass of the mesh computes eight tiles of pixels, one per row of the mesh, times filters, dealt
 * out to its columns; the sums stay in the LDM while channels are added. A CPE of row r and column
 * c has of tile r the channels of c, and of the weights the channels of r and the filters of c. In
 * round n the CPEs of column n send their part of the image along their rows, number by number,
 * those of row n their part of the weights along their columns, vector by vector; all multiply what
 * they have or get, for all taps of the kernel (rounds.S). A tap is another place in the same lines
 * of the image, since its numbers are loaded one by one.
 *
 * Register messages carry doubles, so parts are made doubles first, with zeros where the image or
 * the channels end (widen.S). The next parts land meanwhile, by requests between the rounds: a CPE
 * has three requests at most that are not finished. In the end the CPEs of a column exchange what
 * they have summed (exchange.S), since whole rows of the result are written much faster than the
 * rows of a tile; that is on its way while the next pass is computed. */
#include "plan.h"
#include "simd.h"
#include "slave.h"

#define REQUESTS (2 * MY_CHANNELS)
#define MY_BLOCKS (MY_FILTERS / BLOCK_FILTERS)
#define BLOCK_BYTES (BLOCK_PIXELS * BLOCK_FILTERS * 8)
#define MY_RESULTS (MY_FILTERS / 8) /* filters of all tiles of a pass that a CPE puts */
#define WHOLE_ROWS (LANDED_COLUMNS(TILE_X) == SIZE)
#define STEPS (PASSES * FILTER_PASSES * CHANNEL_PASSES)

__thread_local double a[MY_ROWS][MY_CHANNELS][MY_COLUMNS] __attribute__((aligned(128)));
__thread_local double b[MY_BLOCKS][KERNEL][MY_CHANNELS][KERNEL][BLOCK_FILTERS]
    __attribute__((aligned(128)));
__thread_local double c[TILE_Y][TILE_X / BLOCK_PIXELS][MY_BLOCKS][BLOCK_PIXELS][BLOCK_FILTERS]
    __attribute__((aligned(128)));
__thread_local float landed_a[MY_CHANNELS][LANDED_ROWS(TILE_Y) * LANDED_COLUMNS(TILE_X)]
    __attribute__((aligned(128)));
__thread_local float landed_b[MY_CHANNELS][TAPS * MY_FILTERS] __attribute__((aligned(128)));
__thread_local float result[MY_RESULTS * PASS_ROWS * OUT] __attribute__((aligned(128)));
__thread_local float beyond[TILE_Y * TILE_X]; /* pixels of a tile that the result does not have */
__thread_local volatile int got, put;
__thread_local int started, put_started;

/* What a round goes through, for rounds.S. */
struct shape {
  long lines, line_bytes;
  long rows, bytes_to_next_row;
  long groups, blocks;
};

/* The rows that an exchange goes through, for exchange.S. */
struct rows {
  long count, bytes_to_next, group_bytes;
  float* rest;
};

/* Floats that become doubles between zeros, for widen.S. */
struct line {
  long before, count, after;
  long bytes; /* to the floats of the next line */
};

__thread_local struct shape shape = {KERNEL * MY_CHANNELS,
                                     MY_COLUMNS * 8,
                                     TILE_Y,
                                     (STRIDE * MY_CHANNELS * MY_COLUMNS - TILE_X * STRIDE) * 8,
                                     TILE_X / BLOCK_PIXELS,
                                     MY_BLOCKS};

__thread_local struct line zeros = {MY_COLUMNS, 0, 0, 0}; /* of a channel that is not there */

typedef void round_of(const double* a, const double* b, double* c, const struct shape* shape);
round_of send_both, send_a, send_b, receive_both;
typedef void take_of(const double* from, float* to, int whole, int rest, int row,
                     const struct rows* rows);
take_of collect, exchange;
void widen(const float* from, double* to, const struct line* line, int lines);
void widen_filters(const float* from, double* to, int count, int bytes);
void clear_sums(double* c, int count);

/* What a CPE adds in one step: where it lies, and how much of it there is. */
struct step {
  int first_y;                    /* of the pass */
  int y, x;                       /* the first pixel of the tile */
  int first_row, rows;            /* of the image */
  int first_column, columns;      /* of the image */
  int channel_of_a, channel_of_b; /* the first ones */
  int first_filter, filters;
};

__thread_local struct step now, next;
__thread_local int requests; /* for the next step, made already */

static int at_most(int n, int most) { return n < most ? n : most; }
static int at_least(int n, int least) { return n > least ? n : least; }

static void plan_step(struct step* step, int n) {
  int channel = n % CHANNEL_PASSES * 8 * MY_CHANNELS;
  step->first_y = n / (FILTER_PASSES * CHANNEL_PASSES) * PASS_ROWS;
  step->y = step->first_y + _ROW / TILES_X * TILE_Y;
  step->x = _ROW % TILES_X * TILE_X;
  int top = step->y * STRIDE - PADDING, left = step->x * STRIDE - PADDING;
  step->first_row = at_least(top, 0);
  step->rows = at_least(at_most(top + MY_ROWS, SIZE) - step->first_row, 0);
  step->first_column = at_least(left, 0);
  step->columns = at_least(at_most(left + MY_COLUMNS, SIZE) - step->first_column, 0);
  if (WHOLE_ROWS) {
    step->first_column = 0;
    step->columns = SIZE;
  }
  step->channel_of_a = channel + _COL * MY_CHANNELS;
  step->channel_of_b = channel + _ROW * MY_CHANNELS;
  step->first_filter = (n / CHANNEL_PASSES % FILTER_PASSES * 8 + _COL) * MY_FILTERS;
  step->filters = at_least(at_most(FILTERS - step->first_filter, MY_FILTERS), 0);
}

/* Asks for one channel of the next part of the image, or of the weights. */
static void request(const struct conv* conv) {
  int k = requests / 2, is_a = requests % 2 == 0;
  ++requests;
  if (is_a && next.channel_of_a + k < CHANNELS && next.rows * next.columns > 0) {
    const float* from =
        conv->A + ((next.channel_of_a + k) * SIZE + next.first_row) * SIZE + next.first_column;
    int bytes = next.rows * next.columns * 4;
    ++started;
    athread_get(PE_MODE, (void*)from, landed_a[k], bytes, (void*)&got, 0, (SIZE - next.columns) * 4,
                WHOLE_ROWS ? bytes : next.columns * 4);
  }
  if (!is_a && next.channel_of_b + k < CHANNELS && next.filters > 0) {
    const float* from = conv->W + (next.channel_of_b + k) * FILTERS + next.first_filter;
    ++started;
    athread_get(PE_MODE, (void*)from, landed_b[k], TAPS * next.filters * 4, (void*)&got, 0,
                (CHANNELS * FILTERS - next.filters) * 4, next.filters * 4);
  }
}

/* Line `row` of all channels of the tile. */
static void unpack_lines(int row) {
  int from_row = now.y * STRIDE - PADDING + row - now.first_row;
  int left = now.x * STRIDE - PADDING - now.first_column;
  int begin = at_least(-left, 0);
  int end = at_least(at_most(now.columns - left, MY_COLUMNS), begin);
  int channels = at_least(at_most(CHANNELS - now.channel_of_a, MY_CHANNELS), 0);
  struct line line = {begin, end - begin, MY_COLUMNS - end, sizeof landed_a[0]};
  if (from_row < 0 || from_row >= now.rows) channels = 0;
  widen(landed_a[0] + from_row * now.columns + left + begin, a[row][0], &line, channels);
  widen(landed_a[0], a[row][channels], &zeros, MY_CHANNELS - channels);
}

/* The filters of one row of the kernel and channel. */
static void unpack_filters(int ky, int k) {
  const float* from = landed_b[k] + ky * KERNEL * now.filters;
  int filters = now.channel_of_b + k < CHANNELS ? now.filters : 0;
  for (int n = 0; n < MY_BLOCKS; ++n, from += BLOCK_FILTERS) {
    double* to = b[n][ky][k][0];
    int count = at_least(at_most(filters - n * BLOCK_FILTERS, BLOCK_FILTERS), 0);
    struct line line = {0, count, BLOCK_FILTERS - count, now.filters * 4};
    if (count == BLOCK_FILTERS && FILTERS % 4 == 0)
      widen_filters(from, to, KERNEL, now.filters * 4);
    else
      widen(from, to, &line, KERNEL);
  }
}

static void unpack(void) {
  while (got != started)
    ;
  for (int row = 0; row < MY_ROWS; ++row) unpack_lines(row);
  for (int ky = 0; ky < KERNEL; ++ky)
    for (int k = 0; k < MY_CHANNELS; ++k) unpack_filters(ky, k);
}

/* One step, and between its rounds the requests for the next one. */
static void multiply(const struct conv* conv) {
  for (int n = 0; n < 8; ++n) {
    round_of* round =
        n == _COL ? (n == _ROW ? send_both : send_a) : (n == _ROW ? send_b : receive_both);
    for (int k = 0; k < CEIL(REQUESTS, 7) && requests < REQUESTS; ++k) request(conv);
    round(a[0][0], b[0][0][0][0], c[0][0][0][0], &shape);
  }
}

/* The columns from x on of the rows of a tile that lie in `beyond`, to the result. */
static void take_last_columns(float* to, int rows, int x, int columns, int width) {
  for (int y = 0; y < rows; ++y)
    for (int k = x; k < columns; ++k) to[y * OUT + k] = beyond[y * width + k - x];
}

/* Sends the CPE of `row` its filters of this CPE's tile, and takes those of its tile. */
static void exchange_tiles(int row, int rows) {
  take_of* take = row == _ROW ? collect : exchange;
  int first_x = row % TILES_X * TILE_X, first_y = row / TILES_X * TILE_Y;
  int columns = at_least(at_most(OUT - first_x, TILE_X), 0);
  int inside = at_least(at_most(rows - first_y, TILE_Y), 0);
  int groups = TILE_X / BLOCK_PIXELS, whole = columns / BLOCK_PIXELS;
  struct rows in = {inside, (OUT - whole * BLOCK_PIXELS) * 4, MY_BLOCKS * BLOCK_BYTES, beyond};
  struct rows out = {TILE_Y - inside, 0, MY_BLOCKS * BLOCK_BYTES, beyond};
  for (int k = 0; k < MY_RESULTS; ++k) {
    int filter = row * MY_RESULTS + k, block = filter / BLOCK_FILTERS;
    float* to = result + (k * rows + first_y) * OUT + first_x;
    take(&c[0][0][block][0][filter % BLOCK_FILTERS], to, whole, groups - whole, row, &in);
    take_last_columns(to, inside, whole * BLOCK_PIXELS, columns, TILE_X - whole * BLOCK_PIXELS);
    take(&c[inside][0][block][0][filter % BLOCK_FILTERS], beyond, 0, groups, row, &out);
  }
}

/* The CPEs of a column exchange what they have summed, so that each puts whole rows. */
static void store(const struct conv* conv) {
  int filter = now.first_filter + _ROW * MY_RESULTS, rows = at_most(OUT - now.first_y, PASS_ROWS);
  int filters = at_most(FILTERS - filter, MY_RESULTS), bytes = filters * rows * OUT * 4;
  while (put != put_started)
    ;
  for (int n = 0; n < 8; ++n) {
    athread_syn(COL_SCOPE, 0xff);
    exchange_tiles(_ROW ^ n, rows);
  }
  athread_syn(COL_SCOPE, 0xff);
  if (filters <= 0) return;
  put = 0;
  put_started = 1;
  athread_put(PE_MODE, result, conv->B + (filter * OUT + now.first_y) * OUT, bytes, (void*)&put,
              (OUT - rows) * OUT * 4, rows < OUT ? rows * OUT * 4 : bytes);
}

static void plan_next(int n) {
  plan_step(&next, n);
  got = started = requests = 0;
}

void conv(struct conv* shared) {
  struct conv conv = *shared;
  put = put_started = 0;
  plan_next(0);
  while (requests < REQUESTS) request(&conv);
  for (int n = 0; n < STEPS; ++n) {
    now = next;
    unpack();
    if (n + 1 < STEPS) plan_next(n + 1);
    if (n % CHANNEL_PASSES == 0) clear_sums(c[0][0][0][0], TILE_Y * TILE_X * MY_FILTERS);
    multiply(&conv);
    if (n % CHANNEL_PASSES == CHANNEL_PASSES - 1) store(&conv);
  }
  while (put != put_started)
    ;
}
