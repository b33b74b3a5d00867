/* B[i] = the sum of A[i][j] over j. */
#ifndef REDUCE_H
#define REDUCE_H

#if ROWS < 1 || COLUMNS < 1 || COLUMNS > 536870911 / ROWS
#error "ROWS, COLUMNS: A must have from 1 to 536870911 elements"
#endif

typedef struct {
  const float* A; /* [ROWS][COLUMNS] */
  float* B;       /* [ROWS] */
} Parameters;

#endif
