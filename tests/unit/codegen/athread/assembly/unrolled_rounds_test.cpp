#include "codegen/athread/assembly/unrolled_rounds.h"

#include <gtest/gtest.h>

namespace solway::codegen::assembly {
namespace {

Product with(const std::vector<Rounds>& rounds) {
  return {Element::Float, 4, 16, 1, 100, 400, 16, rounds};
}

/// Where each repetition of some steps begins, by the advances.
std::vector<std::pair<std::int64_t, std::int64_t>> walk(const UnrolledRounds& of, int steps) {
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  std::int64_t a = 0, b = 0;
  for (int k = 0; k < steps; ++k) {
    for (const Advance& advance : of.advances) {
      out.emplace_back(a, b);
      a += advance.a;
      b += advance.b;
    }
  }
  return out;
}

TEST(UnrolledRounds, NoRoundsAreOneAdvance) {
  const UnrolledRounds one = unroll_rounds(with({}));
  EXPECT_TRUE(one.around.empty());
  EXPECT_EQ(walk(one, 3), (decltype(walk(one, 3)){{0, 0}, {100, 400}, {200, 800}}));
}

TEST(UnrolledRounds, AWindowRunsInsideOfEachStep) {
  const UnrolledRounds window = unroll_rounds(with({{3, 10, 48}, {3, 1, 16}}));
  EXPECT_TRUE(window.around.empty());
  decltype(walk(window, 2)) expected;
  for (int k = 0; k < 2; ++k) {
    for (int r = 0; r < 3; ++r) {
      for (int q = 0; q < 3; ++q) {
        expected.emplace_back(100 * k + 10 * r + q, 400 * k + 48 * r + 16 * q);
      }
    }
  }
  EXPECT_EQ(walk(window, 2), expected);
}

TEST(UnrolledRounds, OfALargeWindowTheInnerRoundsAlone) {
  const UnrolledRounds window = unroll_rounds(with({{11, 40, 176}, {11, 1, 16}}));
  ASSERT_EQ(window.around.size(), 1U);
  EXPECT_EQ(window.around[0].a, 40);
  EXPECT_EQ(window.advances.size(), 11U);
  EXPECT_EQ(window.advances.back().a, 100 - 10);
  EXPECT_EQ(window.advances.back().b, 400 - 160);
}

TEST(UnrolledRounds, ManyRoundsStayAround) {
  const UnrolledRounds many = unroll_rounds(with({{3, 10, 48}, {17, 1, 16}}));
  EXPECT_EQ(many.around.size(), 2U);
  EXPECT_EQ(many.advances.size(), 1U);
}

TEST(UnrolledRounds, StayAroundWhereAnInstructionDoesNotReach) {
  // From the last repetition to the next step it is 100 - 2 x 8,300 elements of 4 bytes.
  const UnrolledRounds far = unroll_rounds(with({{3, 10, 48}, {3, 8300, 16}}));
  EXPECT_EQ(far.around.size(), 2U);
  const UnrolledRounds near = unroll_rounds(with({{3, 10, 48}, {3, 4000, 16}}));
  EXPECT_EQ(near.around.size(), 0U);
}

}  // namespace
}  // namespace solway::codegen::assembly
