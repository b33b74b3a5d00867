/* scale: portable C99, with directives of NEC's compiler. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

static int64_t sw_add_i64(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t sw_mul_i64(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a * (uint64_t)b);
}

int32_t scale(const float* restrict A, const int64_t* restrict m, float* restrict C);

int32_t scale(const float* restrict A, const int64_t* restrict m, float* restrict C) {
  {
    const int64_t sw_end_i = m[0];
    #pragma _NEC novector
    for (int64_t i = 0; i < sw_end_i; ++i) {  /* parallel */
      #pragma _NEC ivdep
      #pragma _NEC packed_vector
      for (int64_t j = 0; j < 512; ++j) {  /* vectorized */
        C[sw_add_i64(sw_mul_i64(i, 512), j)] = 0.0f;
      }
      #pragma _NEC novector
      for (int64_t k = 0; k < 3; ++k) {  /* unrolled */
        #pragma _NEC ivdep
        #pragma _NEC shortloop
        for (int64_t jj = 0; jj < 256; ++jj) {  /* vectorized */
          C[sw_add_i64(sw_mul_i64(i, 512), jj)] = (C[sw_add_i64(sw_mul_i64(i, 512), jj)] + A[(k * 512) + jj]);
        }
      }
      {
        const int64_t sw_end_s = m[0];
        #pragma _NEC vector
        #pragma _NEC packed_vector
        #pragma _NEC shortloop_reduction
        for (int64_t s = 0; s < sw_end_s; ++s) {  /* vectorized */
          C[sw_mul_i64(i, 512)] = (C[sw_mul_i64(i, 512)] + A[sw_add_i64(sw_mul_i64(i, 512), s)]);
        }
      }
    }
  }
  return 0;
}
