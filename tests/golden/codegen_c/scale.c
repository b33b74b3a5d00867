/* scale: portable C99. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

static float sw_max_f32(float a, float b) {
  return a > b || a != a ? a : b;
}

int32_t scale(const float* restrict A, float* restrict C);

int32_t scale(const float* restrict A, float* restrict C) {
  (void)C;
  for (int64_t i = 0; i < 4; ++i) {  /* parallel */
    {
      float T[8];  /* T: float32[8] in panel */
      for (int64_t j = 0; j < 8; ++j) {  /* vectorized */
        T[j] = sw_max_f32(A[(i * 8) + j] * 0.1f, 0.0f);
      }
      for (int64_t j = 0; j < 8; ++j) {
        C[(i * 8) + j] = expf(T[7 - j]);
      }
    }
  }
  return 0;
}
