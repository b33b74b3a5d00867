/* Y[i] = max(X[i] * scale + Z[i], 0), rounded once before the maximum. */
#ifndef ELEMENTWISE_H
#define ELEMENTWISE_H

#if N < 1 || N > 67108864
#error "N: from 1 to 67108864 elements"
#endif

typedef struct {
  const float* X; /* [N] */
  const float* Z; /* [N] */
  float* Y;       /* [N] */
  float scale;
} Parameters;

#endif
