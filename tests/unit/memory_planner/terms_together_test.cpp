#include "memory_planner/terms_together.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

/// C[i, j] += A[i, k] * B[k, j] in tiles of so many rows and vectors.
VectorPlan tiles(std::int64_t rows, std::int64_t vectors) {
  VectorPlan out;
  out.vector = 1;
  out.held = {rows, vectors, 1};
  out.written_out = {false, false, false};
  out.outer = {1, 0};
  out.in_registers = true;
  return out;
}

CacheModel caches() { return caches_of(testing::vector_machine()); }

TEST(TermsTogether, AreASmallNumberThatDividesTheLoop) {
  const auto size = [](std::int64_t depth, const VectorPlan& plan) {
    const auto made = with_terms_together(testing::product(96, 128, depth), plan);
    return made ? made->together.size : 1;
  };
  EXPECT_EQ(size(256, tiles(6, 4)), 4);
  EXPECT_EQ(size(255, tiles(6, 4)), 3);
  EXPECT_EQ(size(254, tiles(6, 4)), 2);
  EXPECT_EQ(size(253, tiles(6, 4)), 1);
  EXPECT_EQ(size(4, tiles(6, 4)), 2);  // four would be all
  VectorPlan blocked = tiles(6, 4);
  blocked.blocked = 2;
  blocked.block = 10;
  EXPECT_EQ(size(256, blocked), 2);
}

TEST(TermsTogether, AreOfTheInnermostLoop) {
  const auto made =
      with_terms_together(testing::pixels(16, 196, 4), testing::tiles_of_pixels({1, 0, 2}));
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->together.loop, 4);
  EXPECT_EQ(terms_of_turn(*made, 4), 4);
  EXPECT_EQ(terms_of_turn(*made, 3), 1);
  EXPECT_FALSE(with_terms_together(testing::pixels(16, 196, 4), *made).has_value());
}

TEST(TermsTogether, NotWhereRowsReadTheSameNumbersInOtherTerms) {
  VectorStage stage = testing::product(96, 128, 256);
  // A[i + k]: row 1 of a term reads what row 0 of the next one does.
  DimModel& rows = stage.accesses[0].dims.at(0);
  rows.terms.push_back({2, 1});
  EXPECT_FALSE(with_terms_together(stage, tiles(6, 4)).has_value());
  EXPECT_TRUE(with_terms_together(stage, tiles(1, 4)).has_value());
}

TEST(TermsTogether, NotOfLanesDotsOrRegistersOfUnknownLength) {
  VectorStage stage = testing::product(96, 128, 256);
  VectorPlan plan = tiles(6, 4);
  plan.vector = 2;
  EXPECT_FALSE(with_terms_together(stage, plan).has_value());
  plan = tiles(6, 4);
  plan.dot = 2;
  EXPECT_FALSE(with_terms_together(stage, plan).has_value());
  stage.is_scalable = true;
  EXPECT_FALSE(with_terms_together(stage, tiles(6, 4)).has_value());
}

TEST(TermsTogether, AreWantedInWideRowsThatLeaveRegisters) {
  const VectorStage stage = testing::product(96, 128, 256);
  EXPECT_TRUE(wants_terms_together(stage, tiles(6, 4), caches()));
  EXPECT_FALSE(wants_terms_together(stage, tiles(9, 3), caches()));
  EXPECT_FALSE(wants_terms_together(stage, tiles(12, 2), caches()));
  EXPECT_FALSE(wants_terms_together(stage, tiles(2, 4), caches()));
}

TEST(TermsTogether, VectorsOfARowAreThoseThatOneNumberMeets) {
  const VectorStage stage = testing::product(96, 128, 256);
  EXPECT_EQ(vectors_of_row(stage, tiles(6, 4)), 4);
  EXPECT_EQ(vectors_of_row(testing::pixels(16, 196, 4), testing::tiles_of_pixels({1, 0, 2})), 2);
}

}  // namespace
}  // namespace solway::memory_planner
