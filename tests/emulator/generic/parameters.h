typedef struct {
  const float* x;
  float* y;
} Parameters;
