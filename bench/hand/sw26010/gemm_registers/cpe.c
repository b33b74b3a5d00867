/* A matrix product by register communication, in the style of the public swGEMM.
 *
 * A CPE of row r and column c has one part of each tile of A, B and C in its LDM. In round n the
 * CPEs of column n send their part of A along their rows, number by number, those of row n their
 * part of B along their columns, vector by vector; all multiply what they have or get (rounds.S).
 *
 * The next parts of A and B are on their way meanwhile. Register messages carry doubles, so parts
 * are made doubles first, and laid out in the order in which the rounds read them. */
#include "gemm.h"
#include "slave.h"

#define MY_M (TILE_M / 8)
#define MY_N (TILE_N / 8)
#define MY_K (TILE_K / 8)
#define STEPS (K / TILE_K)

/* Four rows, or sixteen columns, of one step of a product lie side by side. */
__thread_local double a[MY_M / 4][MY_K][4] __attribute__((aligned(128)));
__thread_local double b[MY_N / 16][MY_K][16] __attribute__((aligned(128)));
__thread_local double c[MY_M / 4][MY_N / 16][4][16] __attribute__((aligned(128)));
__thread_local float landed_a[2][MY_M][MY_K] __attribute__((aligned(128)));
__thread_local float landed_b[2][MY_K][MY_N] __attribute__((aligned(128)));
__thread_local float result[MY_M][MY_N] __attribute__((aligned(128)));
__thread_local volatile int got[2], put;

typedef void round_of(const double* a, const double* b, double* c, int rows, int columns,
                      int steps);
round_of send_both, send_a, send_b, receive_both;

static void start(const struct gemm* gemm, int m, int n, int k, int which) {
  const float* from_a = gemm->A + (long)(m + _ROW * MY_M) * K + k + _COL * MY_K;
  const float* from_b = gemm->B + (long)(k + _ROW * MY_K) * N + n + _COL * MY_N;
  got[which] = 0;
  athread_get(PE_MODE, (void*)from_a, landed_a[which], MY_M * MY_K * 4, (void*)&got[which], 0,
              (K - MY_K) * 4, MY_K * 4);
  athread_get(PE_MODE, (void*)from_b, landed_b[which], MY_K * MY_N * 4, (void*)&got[which], 0,
              (N - MY_N) * 4, MY_N * 4);
}

static void unpack(int which) {
  while (got[which] != 2)
    ;
  for (int m = 0; m < MY_M; m += 4)
    for (int k = 0; k < MY_K; ++k)
      for (int i = 0; i < 4; ++i) a[m / 4][k][i] = landed_a[which][m + i][k];
  for (int n = 0; n < MY_N; n += 16)
    for (int k = 0; k < MY_K; ++k)
      for (int j = 0; j < 16; ++j) b[n / 16][k][j] = landed_b[which][k][n + j];
}

static void multiply(void) {
  for (int n = 0; n < 8; ++n) {
    round_of* round =
        n == _COL ? (n == _ROW ? send_both : send_a) : (n == _ROW ? send_b : receive_both);
    round(a[0][0], b[0][0], c[0][0][0], MY_M / 4, MY_N / 16, MY_K);
  }
}

static void store(const struct gemm* gemm, int m, int n) {
  for (int i = 0; i < MY_M; ++i)
    for (int j = 0; j < MY_N; ++j) result[i][j] = c[i / 4][j / 16][i % 4][j % 16];
  put = 0;
  athread_put(PE_MODE, result, gemm->C + (long)(m + _ROW * MY_M) * N + n + _COL * MY_N,
              MY_M * MY_N * 4, (void*)&put, (N - MY_N) * 4, MY_N * 4);
  while (put != 1)
    ;
}

void gemm(struct gemm* shared) {
  struct gemm gemm = *shared;
  for (int m = 0; m < M; m += TILE_M)
    for (int n = 0; n < N; n += TILE_N) {
      for (int k = 0; k < MY_M * MY_N; ++k) c[0][0][0][k] = 0;
      start(&gemm, m, n, 0, 0);
      for (int step = 0; step < STEPS; ++step) {
        unpack(step % 2);
        if (step + 1 < STEPS) start(&gemm, m, n, (step + 1) * TILE_K, (step + 1) % 2);
        multiply();
      }
      store(&gemm, m, n);
    }
}
