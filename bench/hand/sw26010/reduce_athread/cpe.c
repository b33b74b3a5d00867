/* Main memory bounds it: each number is read once.
 *
 * A CPE has one part of all numbers, in whole transactions of 128 bytes, wherever rows begin and
 * end: all have as much to do, with few long rows as with many short ones. A part comes in pieces
 * of 8 KB, of which two are in flight while one is added up. What a CPE has of a row that began in
 * a part before goes to main memory; after a barrier the CPE in whose part the row began adds it.
 */
#include "reduce.h"
#include "simd.h"
#include "slave.h"

#define TOTAL (ROWS * COLUMNS)
#define TRANSACTION 32 /* elements */
#define PART (((TOTAL + CPES - 1) / CPES + TRANSACTION - 1) / TRANSACTION * TRANSACTION)
#define PIECE 2048
#define PIECES_IN_LDM 3
#define SUMS 1024 /* that are put at once */

__thread_local volatile int get_reply[PIECES_IN_LDM], reply;
__thread_local float pieces[PIECES_IN_LDM][PIECE] __attribute__((aligned(32)));
__thread_local float sums[SUMS] __attribute__((aligned(32)));
__thread_local float head, heads[CPES];

/* The rows of a part: sums from row `put` on are in `sums`, that of `row` is not complete. */
typedef struct {
  int row, put;
  int has_head; /* `row` began before the part */
  double sum;   /* of `row` */
} Progress;

static int least(int a, int b) { return a < b ? a : b; }

static void start_get(const float* A, int at, int end, int place) {
  get_reply[place] = 0;
  athread_get(PE_MODE, (void*)(A + at), pieces[place], least(PIECE, end - at) * 4,
              (void*)&get_reply[place], 0, 0, 0);
}

/* The numbers from `from` to `until`; neither has to be aligned. */
static float add(const float* numbers, int from, int until) {
  floatv4 s0 = simd_set_floatv4(0, 0, 0, 0), s1 = s0, s2 = s0, s3 = s0, v0, v1, v2, v3;
  float sum = 0;
  int i = from;
  for (; i < until && i % 4 != 0; ++i) sum += numbers[i];
  for (; i + 16 <= until; i += 16) {
    simd_load(v0, numbers + i);
    simd_load(v1, numbers + i + 4);
    simd_load(v2, numbers + i + 8);
    simd_load(v3, numbers + i + 12);
    s0 = simd_vadds(s0, v0);
    s1 = simd_vadds(s1, v1);
    s2 = simd_vadds(s2, v2);
    s3 = simd_vadds(s3, v3);
  }
  for (; i < until; ++i) sum += numbers[i];
  s0 = simd_vadds(simd_vadds(s0, s1), simd_vadds(s2, s3));
  return sum + simd_vextf0(s0) + simd_vextf1(s0) + simd_vextf2(s0) + simd_vextf3(s0);
}

static void put_sums(float* B, Progress* now) {
  reply = 0;
  athread_put(PE_MODE, sums, B + now->put, (now->row - now->put) * 4, (void*)&reply, 0, 0);
  while (reply != 1)
    ;
  now->put = now->row;
}

static void finish_row(float* B, Progress* now) {
  if (now->has_head) {
    head = now->sum;
    now->has_head = 0;
    now->put = now->row + 1;
  } else {
    sums[now->row - now->put] = now->sum;
  }
  now->sum = 0;
  ++now->row;
  if (now->row - now->put == SUMS) put_sums(B, now);
}

static void add_piece(float* B, const float* numbers, int at, int count, Progress* now) {
  for (int i = 0; i < count;) {
    int end_of_row = (now->row + 1) * COLUMNS - at;
    int until = least(end_of_row, count);
    now->sum += add(numbers, i, until);
    if (until == end_of_row) finish_row(B, now);
    i = until;
  }
}

static void add_part(const Parameters* p, int begin, int end, Progress* now) {
  for (int n = 0; n < PIECES_IN_LDM - 1 && begin + n * PIECE < end; ++n)
    start_get(p->A, begin + n * PIECE, end, n);
  for (int at = begin, place = 0; at < end; at += PIECE, place = (place + 1) % PIECES_IN_LDM) {
    int ahead = at + (PIECES_IN_LDM - 1) * PIECE;
    if (ahead < end) start_get(p->A, ahead, end, (place + PIECES_IN_LDM - 1) % PIECES_IN_LDM);
    while (get_reply[place] != 1)
      ;
    add_piece(p->B, pieces[place], at, least(PIECE, end - at), now);
  }
}

/* Adds what other parts have of a row that began in this one. */
static void add_heads(const Parameters* p, Progress* now) {
  reply = 0;
  athread_get(PE_MODE, p->heads, heads, sizeof heads, (void*)&reply, 0, 0, 0);
  while (reply != 1)
    ;
  for (int n = athread_get_id(-1) + 1; n * PART < (now->row + 1) * COLUMNS; ++n)
    now->sum += heads[n];
  finish_row(p->B, now);
}

void reduce(Parameters* shared) {
  Parameters p = *shared;
  int id = athread_get_id(-1);
  int begin = least(id * PART, TOTAL), end = least(begin + PART, TOTAL);
  Progress now = {begin / COLUMNS, begin / COLUMNS, begin % COLUMNS != 0, 0};
  int began_before = now.has_head;
  add_part(&p, begin, end, &now);
  int is_inside = now.has_head; /* the whole part is of a row that began before */
  if (is_inside) head = now.sum;
  if (began_before && begin < end) {
    reply = 0;
    athread_put(PE_MODE, &head, p.heads + id, sizeof head, (void*)&reply, 0, 0);
    while (reply != 1)
      ;
  }
  athread_syn(ARRAY_SCOPE, 0xffff);
  if (!is_inside && now.row * COLUMNS < end) add_heads(&p, &now);
  if (now.row > now.put) put_sums(p.B, &now);
}
