#include "memory_planner/vector_plan_cost.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

/// `rows` of i and `vectors` of j in registers.
VectorPlan tile(std::int64_t rows, std::int64_t vectors) {
  VectorPlan out;
  out.vector = 1;
  out.held = {rows, vectors, 1};
  out.written_out = {false, false, false};
  out.outer = {0, 1};
  out.in_registers = true;
  return out;
}

TEST(VectorPlanCost, LoadsAreCountedOnce) {
  const VectorStage stage = testing::product(96, 128, 64);
  const VectorPlan plan = tile(6, 4);
  EXPECT_DOUBLE_EQ(distinct_loads(stage, plan, stage.accesses[0]), 6);
  EXPECT_DOUBLE_EQ(distinct_loads(stage, plan, stage.accesses[1]), 4);
  EXPECT_EQ(registers_of(stage, plan), 6 * 4 + 4 + 1);
  EXPECT_EQ(strip_bytes(stage, plan, stage.accesses[1]), 64 * 64 * 4);
  EXPECT_EQ(uses_of_strip(stage, plan, stage.accesses[1]), 96 / 6);
}

TEST(VectorPlanCost, NoPlanIsFasterThanItsMultiplyAdds) {
  const VectorStage stage = testing::product(96, 128, 64);
  const CacheModel caches = caches_of(testing::vector_machine());
  const double least = 96.0 * 128 * 64 / 16 / 2;
  for (const std::int64_t rows : {1, 2, 6, 12}) {
    for (const std::int64_t vectors : {1, 2, 4}) {
      EXPECT_GE(cycles_of(stage, tile(rows, vectors), caches), least);
    }
  }
  EXPECT_LT(cycles_of(stage, tile(6, 4), caches), 1.3 * least);
  // One vector waits for its last sum, four cycles.
  EXPECT_GT(cycles_of(stage, tile(1, 1), caches), 8 * least);
}

TEST(VectorPlanCost, SmallTilesOfWindowsWaitBesideTheNext) {
  const CacheModel caches = caches_of(testing::vector_machine());
  const VectorStage stage =
      describe_stage(testing::each_channel(14, 15, 5), "D", testing::vector_machine());
  const auto cycles = [&](std::int64_t pixels) {
    VectorPlan plan;
    plan.vector = 2;
    plan.held = {1, pixels, 1, 1, 1};
    plan.written_out = {false, false, false, false, true};
    plan.outer = {0, 1, 2};
    plan.in_registers = true;
    return cycles_of(stage, plan, caches) * static_cast<double>(pixels) / (14 * 15);
  };
  // A sum of 25 terms waits 100 cycles; the tile's arithmetic takes 12.5 for each pixel.
  EXPECT_LT(cycles(3), 80);
  EXPECT_LT(cycles(5), 100);
  EXPECT_GT(cycles(15), 15 * 12.5);
}

TEST(VectorPlanCost, WhatIsLeftOutOfRowsThatAreReadOnceIsFetchedToo) {
  const CacheModel caches = caches_of(testing::vector_machine());
  const auto cycles = [&](std::int64_t columns, std::int64_t vectors) {
    return cycles_of(testing::product(1, columns, 4096), tile(1, vectors), caches);
  };
  // Rows of 256 bytes: whole, in halves and in quarters.
  EXPECT_GT(cycles(64, 2), 1.8 * cycles(64, 4));
  EXPECT_GT(cycles(64, 1), 3.3 * cycles(64, 4));
  // Rows of 16 KB: no page has two of them.
  EXPECT_LT(cycles(4096, 2), 1.3 * cycles(4096, 4));
}

TEST(VectorPlanCost, AsManySumsAsTheirLatencyLeaveNoSlack) {
  const CacheModel caches = caches_of(testing::vector_machine());
  // 8 and 12 sums of 4 cycles on two pipes.
  const double eight = cycles_of(testing::product(96, 128, 4096), tile(4, 2), caches);
  const double twelve = cycles_of(testing::product(96, 128, 4096), tile(6, 2), caches);
  EXPECT_GT(eight, 1.1 * twelve);
}

TEST(VectorPlanCost, HalfALineComesWithTheOtherHalf) {
  const Target machine = testing::narrow_machine();
  const CacheModel caches = caches_of(machine);
  const VectorStage stage = testing::pixels(16, 3136, 64, machine);
  ASSERT_EQ(stage.lanes, 8);
  // f, p, v, co, ci: two filters by half of the lanes, or one by all.
  const auto tile_of = [](std::int64_t filters, std::int64_t vectors) {
    VectorPlan out;
    out.vector = 2;
    out.held = {filters, 6, vectors, 1, 1};
    out.written_out.assign(5, false);
    out.outer = {0, 1, 2};
    out.in_registers = true;
    return out;
  };
  const VectorAccess& weights = stage.accesses[1];
  ASSERT_EQ(weights.array, "W");
  EXPECT_EQ(strip_bytes(stage, tile_of(1, 2), weights), 16 * 16 * 16 * 4);
  EXPECT_EQ(strip_bytes(stage, tile_of(2, 1), weights), 2 * 16 * 16 * 16 * 4);
  EXPECT_LT(cycles_of(stage, tile_of(1, 2), caches), cycles_of(stage, tile_of(2, 1), caches));
}

TEST(VectorPlanCost, RowsOfHalfALineLeaveNothing) {
  const Target machine = testing::narrow_machine();
  const samples::Matmul matmul(96, 8, 64);  // rows of B have 32 bytes
  const VectorStage stage = describe_stage(schedule::make_state({matmul.c}, {}), "C", machine);
  EXPECT_EQ(strip_bytes(stage, tile(6, 1), stage.accesses[1]), 64 * 8 * 4);
}

TEST(VectorPlanCost, WhatATileDoesNotDivideRunsInSmallerOnes) {
  const CacheModel caches = caches_of(testing::vector_machine());
  const double whole = cycles_of(testing::product(96, 128, 64), tile(6, 4), caches);
  const double more = cycles_of(testing::product(97, 128, 64), tile(6, 4), caches);
  EXPECT_GT(more, whole);
  EXPECT_LT(more, whole * 1.1);
}

}  // namespace
}  // namespace solway::memory_planner
