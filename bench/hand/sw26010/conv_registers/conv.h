/* Y[r][c][no][b] = the sum of W[kr][kc][ni][no] * X[r + kr][c + kc][ni][b] over kr, kc and ni: a
 * convolution of 3 x 3 without padding on a batch of 128, in double precision. */
#ifndef CONV_H
#define CONV_H

#define BATCH 128
#define KERNEL 3
#define IN_COLUMNS (COLUMNS + KERNEL - 1)

struct conv {
  const double* X; /* [ROWS + KERNEL - 1][IN_COLUMNS][NI][BATCH] */
  const double* W; /* [KERNEL][KERNEL][NI][NO] */
  double* Y;       /* [ROWS][COLUMNS][NO][BATCH] */
};

#endif
