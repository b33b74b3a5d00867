#include "driver/reader_cycles.h"

#include <gtest/gtest.h>

#include "driver/product_epilogue.h"

#include "tests/support/sample_programs.h"
#include "tests/unit/driver/product_with_reader.h"

namespace solway::driver {
namespace {

using schedule::State;

const memory_planner::Room kRoom{60000, 32};

TEST(ReaderCycles, AreThoseOfTheStageWhereNothingReadsItInTiles) {
  const State state = testing::ProductWithReader(64, 64, 64).state;
  const Target target = load_target("sw26010", {});
  memory_planner::PlanMemo plans;
  const ReaderCycles found = reader_cycles(state, "D", target, kRoom, plans, {}, samples::at(9));
  EXPECT_EQ(found.alone, best_cycles(state, "D", target, kRoom, plans));
  EXPECT_EQ(found.own_reader, 0);
  EXPECT_EQ(found.with(0), found.alone);
}

TEST(ReaderCycles, AreThoseOfBothStagesWhereTilesAreUsedUp) {
  memory_planner::PlanMemo plans;
  const State state = testing::ProductWithReader(512, 512, 256).state;
  const Target target = load_target("sw26010", {});
  const auto fused = product_epilogue(state, "C", target, plans);
  ASSERT_TRUE(fused);
  const auto together = plan_together(*fused, target, kRoom, plans);
  ASSERT_TRUE(together);
  const ReaderCycles found = reader_cycles(state, "C", target, kRoom, plans, {}, samples::at(9));
  EXPECT_EQ(found.alone + found.own_reader, cycles_apart(state, *fused, target, kRoom, plans));
  EXPECT_EQ(found.with(found.own_reader), together->drained_cycles);
  EXPECT_LT(together->drained_cycles, found.alone + found.own_reader);
}

}  // namespace
}  // namespace solway::driver
