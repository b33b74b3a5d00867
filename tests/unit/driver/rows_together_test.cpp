#include "driver/rows_together.h"

#include <gtest/gtest.h>

#include "driver/fuse_stages.h"

#include "tests/unit/driver/row_samples.h"
#include "tests/unit/driver/two_products.h"
#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::driver {
namespace {

using memory_planner::testing::vector_machine;
using samples::at;
using schedule::State;
using testing::Rows;
using testing::TwoProducts;

std::int64_t together(const Rows& rows, const Target& target = vector_machine()) {
  const State state = schedule::make_state({rows.y}, {});
  return rows_together(state, "Y", state.stage_loops.at("Y")[0], target).count;
}

TEST(RowsTogether, ShortRowsDoNotWaitForEachOther) {
  EXPECT_EQ(together(Rows(8, 32)), 2);
  EXPECT_EQ(together(Rows(101, 32)), 2);
}

TEST(RowsTogether, RowsThatTheCacheHoldsOneByOne) {
  EXPECT_EQ(together(Rows(8, 1536)), 2);  // of 6 KB
  EXPECT_EQ(together(Rows(8, 2048)), 1);  // of 8 KB
}

TEST(RowsTogether, FewRows) {
  EXPECT_EQ(together(Rows(1, 32)), 1);
  EXPECT_EQ(together(Rows(3, 32)), 1);
  EXPECT_EQ(together(Rows(4, 32)), 2);
}

TEST(RowsTogether, MoreRowsOfWhatTheProgramComputedInSlicesThatTheCacheHolds) {
  const auto of_rows = [](std::int64_t rows) {
    const TwoProducts products(rows, false, TwoProducts::Between::Differences);
    const State state = schedule::make_state({products.y}, {});
    return rows_together(state, "E", state.stage_loops.at("E")[1], vector_machine()).count;
  };
  EXPECT_EQ(of_rows(128), 4);
  EXPECT_EQ(of_rows(600), 2);  // slices of 1.4 MB
}

TEST(RowsTogether, MoreRowsAreForAMeasurementToTell) {
  const auto most = [](const Rows& rows) {
    const State state = schedule::make_state({rows.y}, {});
    return rows_together(state, "Y", state.stage_loops.at("Y")[0], vector_machine()).most;
  };
  EXPECT_EQ(most(Rows(101, 32)), 4);
  EXPECT_EQ(most(Rows(6, 32)), 2);    // two blocks
  EXPECT_EQ(most(Rows(8, 1024)), 4);  // of 4 KB
  EXPECT_EQ(most(Rows(8, 2048)), 2);
  EXPECT_EQ(most(Rows(8, 4096)), 1);
  const State state = schedule::make_state({Rows(101, 32).y}, {});
  const FusedStages made = fuse_stages(state, vector_machine(), at(9), {"Y"});
  EXPECT_EQ(made.state.order.loop(made.state.stage_loops.at("Y")[0]).extent(), 26);
  EXPECT_EQ(made.rows.at("Y").count, 4);
  const State longer = schedule::make_state({Rows(8, 2048).y}, {});
  const FusedStages one = fuse_stages(longer, vector_machine(), at(9));
  EXPECT_EQ(one.state.order.loop(one.state.stage_loops.at("Y")[0]).extent(), 8);
  EXPECT_EQ(one.rows.at("Y").count, 1);  // and two are offered
  EXPECT_EQ(one.rows.at("Y").most, 2);
}

TEST(RowsTogether, OnlyOnTheProcessorOfThisProcess) {
  Target foreign = vector_machine();
  foreign.foreign = ForeignMachine{};
  EXPECT_EQ(together(Rows(8, 32), foreign), 1);
}

TEST(RowsTogether, WhatWaitsForNoReductionStays) {
  const samples::Pipeline pipeline(10);
  const State state = schedule::make_state({pipeline.c}, {});
  EXPECT_EQ(rows_together(state, "C", state.stage_loops.at("C")[0], vector_machine()).count, 1);
}

TEST(RowsTogether, StagesOfARowRunInTheLoopOverBlocks) {
  const Rows rows(101, 32);
  const FusedStages made = fuse_stages(schedule::make_state({rows.y}, {}), vector_machine(), at(9));
  ASSERT_EQ(made.state.log.size(), 2U);
  EXPECT_EQ(made.state.log[0].primitive, "split");
  EXPECT_EQ(made.state.log[1].primitive, "compute_at");
  EXPECT_EQ(made.state.order.loop(made.state.stage_loops.at("Y")[0]).extent(), 51);
  EXPECT_EQ(made.decisions.at(0).second.chosen, "in loop i.o of Y");
}

}  // namespace
}  // namespace solway::driver
