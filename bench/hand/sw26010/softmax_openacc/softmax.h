/* Y[i][j] = exp(X[i][j] - m) / the sum of exp(X[i][k] - m) over k, m the greatest of row i. */
#ifndef SOFTMAX_H
#define SOFTMAX_H

#if ROWS < 1 || COLUMNS < 1 || COLUMNS > 536870911 / ROWS
#error "ROWS, COLUMNS: X must have from 1 to 536870911 elements"
#endif

typedef struct {
  const float* X; /* [ROWS][COLUMNS] */
  float* Y;       /* [ROWS][COLUMNS] */
} Parameters;

#endif
