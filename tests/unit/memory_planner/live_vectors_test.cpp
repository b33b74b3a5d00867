#include "memory_planner/live_vectors.h"

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

VectorStage windows(std::int64_t size) {
  return describe_stage(testing::each_channel(14, 14, size), "D", testing::vector_machine());
}

/// Tiles of rows x columns pixels, the terms of both loops of the window written out.
VectorPlan tiles_of(std::int64_t rows, std::int64_t columns) {
  VectorPlan out;
  out.vector = 2;
  out.held = {rows, columns, 1, 1, 1};
  out.written_out = {false, false, false, true, true};
  out.in_registers = true;
  return out;
}

TEST(LiveVectors, OfOnePixelTermsAreUsedOnce) {
  EXPECT_EQ(live_vectors(windows(3), tiles_of(1, 1)), 1 + 1);
}

TEST(LiveVectors, NeighboursInARowShareWhatTheNextTermsRead) {
  // 7 sums, 6 of X that the next q uses again, 1 of W, and 1 of X that is used once.
  EXPECT_EQ(live_vectors(windows(5), tiles_of(1, 7)), 7 + 6 + 1 + 1);
  EXPECT_EQ(live_vectors(windows(3), tiles_of(1, 7)), 7 + 6 + 1 + 1);
}

TEST(LiveVectors, RowsBelowKeepAllOfALine) {
  // Of the row below all 9 of a line are used again with the next r, beside those of the row above.
  EXPECT_GT(live_vectors(windows(5), tiles_of(2, 5)), 10 + 9 + 1);
  EXPECT_GT(live_vectors(windows(3), tiles_of(2, 5)), live_vectors(windows(3), tiles_of(1, 10)));
}

TEST(LiveVectors, NothingIsSharedAtAddressesThatAreNotKnown) {
  VectorStage stage = windows(3);
  for (VectorAccess& access : stage.accesses) {
    if (!access.is_written) std::fill(access.steps.begin(), access.steps.end(), std::nullopt);
  }
  EXPECT_EQ(live_vectors(stage, tiles_of(2, 5)), 10 + 1);
}

TEST(LiveVectors, PlansOfWrittenOutTermsFitTheRegisters) {
  for (const char* const name : {"x86-64-v3", "x86-64-v4"}) {
    const Target machine = load_target(name, {});
    for (const std::int64_t size : {3, 5}) {
      const VectorStage stage = describe_stage(testing::each_channel(56, 56, size), "D", machine);
      const auto plans = plan_vectors(stage, machine, 8);
      EXPECT_TRUE(plans.front().written_out[4]) << name;
      for (const VectorPlan& plan : plans) {
        if (!plan.written_out[4]) continue;
        EXPECT_LE(live_vectors(stage, plan), machine.vector->registers) << name;
      }
    }
  }
}

}  // namespace
}  // namespace solway::memory_planner
