/* B is A after STEPS steps, each of which gives every cell, but for those at the border,
 * (((above + below) + left) + right) * 0.25. */
#ifndef STENCIL_H
#define STENCIL_H

#if ROWS < 3 || COLUMNS < 3 || COLUMNS > 134217728 / ROWS
#error "ROWS, COLUMNS: at least 3 each, and at most 134217728 cells"
#endif
#if STEPS < 1
#error "STEPS: at least 1"
#endif

typedef struct {
  const float* from; /* [ROWS][COLUMNS] */
  float* to;         /* [ROWS][COLUMNS] */
} Parameters;

#endif
