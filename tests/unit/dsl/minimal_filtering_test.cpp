#include "dsl/minimal_filtering.h"

#include <gtest/gtest.h>

#include "tests/unit/dsl/programs.h"

namespace solway::dsl {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(MinimalFiltering, OfFourResultsAndThreeTapsHasThePublishedMatrices) {
  const MinimalFiltering f = minimal_filtering(4, 3);
  const FractionMatrix input = {
      {{4, 1}, {0, 1}, {-5, 1}, {0, 1}, {1, 1}, {0, 1}},
      {{0, 1}, {-4, 1}, {-4, 1}, {1, 1}, {1, 1}, {0, 1}},
      {{0, 1}, {4, 1}, {-4, 1}, {-1, 1}, {1, 1}, {0, 1}},
      {{0, 1}, {-2, 1}, {-1, 1}, {2, 1}, {1, 1}, {0, 1}},
      {{0, 1}, {2, 1}, {-1, 1}, {-2, 1}, {1, 1}, {0, 1}},
      {{0, 1}, {4, 1}, {0, 1}, {-5, 1}, {0, 1}, {1, 1}},
  };
  EXPECT_EQ(f.input, input);
  const FractionMatrix filter = {
      {{1, 4}, {0, 1}, {0, 1}},   {{-1, 6}, {-1, 6}, {-1, 6}}, {{-1, 6}, {1, 6}, {-1, 6}},
      {{1, 24}, {1, 12}, {1, 6}}, {{1, 24}, {-1, 12}, {1, 6}}, {{0, 1}, {0, 1}, {1, 1}},
  };
  EXPECT_EQ(f.filter, filter);
  const FractionMatrix output = {
      {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
      {{0, 1}, {1, 1}, {-1, 1}, {2, 1}, {-2, 1}, {0, 1}},
      {{0, 1}, {1, 1}, {1, 1}, {4, 1}, {4, 1}, {0, 1}},
      {{0, 1}, {1, 1}, {-1, 1}, {8, 1}, {-8, 1}, {1, 1}},
  };
  EXPECT_EQ(f.output, output);
}

/// Correlates whole numbers by the matrices, exactly.
TEST(MinimalFiltering, FiltersExactlyForAllSizesUpToEightPoints) {
  for (int taps = 1; taps <= 7; ++taps) {
    for (int outputs = 1; outputs + taps - 1 <= 8; ++outputs) {
      const MinimalFiltering f = minimal_filtering(outputs, taps);
      const auto points = static_cast<std::size_t>(f.points());
      for (std::size_t i = 0; i < static_cast<std::size_t>(outputs); ++i) {
        Fraction by_matrices;
        std::int64_t expected = 0;
        for (std::size_t n = 0; n < points; ++n) {
          Fraction g, d;
          for (std::size_t k = 0; k < static_cast<std::size_t>(taps); ++k) {
            g = g + f.filter[n][k] * Fraction{static_cast<std::int64_t>(2 * k) - 3, 1};
          }
          for (std::size_t k = 0; k < points; ++k) {
            d = d + f.input[n][k] * Fraction{static_cast<std::int64_t>(k * k) - 5, 1};
          }
          by_matrices = by_matrices + f.output[i][n] * g * d;
        }
        for (std::int64_t k = 0; k < taps; ++k) {
          const auto at = static_cast<std::int64_t>(i) + k;
          expected += (2 * k - 3) * (at * at - 5);
        }
        EXPECT_EQ(by_matrices, (Fraction{expected, 1})) << "F(" << outputs << ", " << taps << ")";
      }
    }
  }
}

TEST(MinimalFiltering, RoundingErrorsGrowWithTheTile) {
  EXPECT_LT(minimal_filtering(2, 3).amplification(), minimal_filtering(4, 3).amplification());
  EXPECT_LT(minimal_filtering(4, 3).amplification(), minimal_filtering(6, 3).amplification());
}

TEST(LinearForms, LeaveZerosOutAndShareWhatRowsHaveInCommon) {
  const Tensor a = input("A", {6});
  std::vector<Expr> x;
  for (int k = 0; k < 6; ++k) x.push_back(read(a, {lit(std::int64_t{k})}));
  const std::vector<Expr> rows = linear_forms(minimal_filtering(4, 3).input, x, line(1));
  EXPECT_EQ(to_string(rows[0]), "A[0] * 4.0 + A[4] - A[2] * 5.0");
  EXPECT_EQ(to_string(rows[1]), "A[4] - A[2] * 4.0 + (A[3] - A[1] * 4.0)");
  EXPECT_EQ(rows[1]->operands[0], rows[2]->operands[0]);
  EXPECT_EQ(rows[1]->operands[1], rows[2]->operands[1]);
}

}  // namespace
}  // namespace solway::dsl
