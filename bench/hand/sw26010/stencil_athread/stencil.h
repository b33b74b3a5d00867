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

/* Steps that a tile makes between two passes through main memory. */
#define MOST_STEPS 16
#define PASSES ((STEPS + MOST_STEPS - 1) / MOST_STEPS)
#define STEPS_OF_PASS ((STEPS + PASSES - 1) / PASSES)

typedef struct {
  const float* A; /* [ROWS][COLUMNS] */
  float* B;       /* [ROWS][COLUMNS] */
  float* other;   /* [ROWS][COLUMNS] where there are passes between the first and the last */
} Parameters;

#endif
