/* C = A * B, row after row; RELU: negative results are 0. */
#ifndef MATMUL_H
#define MATMUL_H

#if M < 1 || N < 1 || K < 1
#error "M, N and K are at least 1"
#endif
#if M * K >> 29 || K * N >> 29 || M * N >> 29
#error "an array is smaller than 2 GB: M, N or K is too large"
#endif
#if RELU != 0 && RELU != 1
#error "RELU is 0 or 1"
#endif

#define CPES 64
#define WHOLE(number, unit) (((number) + (unit)-1) / (unit))
#define LEAST(a, b) ((a) < (b) ? (a) : (b))

/* Parts of the columns of B, if A is one row; CPES / PARTS CPEs share the rows of each. A part has
 * at most 1024 columns: blocks of 4 KB. If rows begin anywhere within a transaction of 128 bytes,
 * they are left whole, as long as their sums fit into the LDM. */
#if N % 32 == 0
#define MOST_COLUMNS (N > 1024 ? 1024 : 512)
#else
#define MOST_COLUMNS 4096
#endif
#if N <= MOST_COLUMNS
#define PARTS 1
#elif N <= 2 * MOST_COLUMNS
#define PARTS 2
#elif N <= 4 * MOST_COLUMNS
#define PARTS 4
#elif N <= 8 * MOST_COLUMNS
#define PARTS 8
#elif N <= 16 * MOST_COLUMNS
#define PARTS 16
#elif N <= 32 * MOST_COLUMNS
#define PARTS 32
#elif N <= 64 * MOST_COLUMNS
#define PARTS 64
#elif M == 1
#error "N is so large that the sums of a CPE do not fit into the LDM"
#endif
#define SHARES (CPES / PARTS)
#define PITCH (WHOLE(N, 32) * 32)

typedef struct {
  const float* A; /* [M][K] */
  const float* B; /* [K][N] */
  float* C;       /* [M][N] */
  float* partial; /* [SHARES][PITCH]: sums of one row of A, by each share of the rows of B */
} Parameters;

#endif
