/* B[j][i] = A[i][j]. */
#ifndef TRANSPOSE_H
#define TRANSPOSE_H

#if ROWS < 1 || COLUMNS < 1 || COLUMNS > 536870911 / ROWS
#error "ROWS, COLUMNS: A must have from 1 to 536870911 elements"
#endif

typedef struct {
  const float* A; /* [ROWS][COLUMNS] */
  float* B;       /* [COLUMNS][ROWS] */
} Parameters;

#endif
