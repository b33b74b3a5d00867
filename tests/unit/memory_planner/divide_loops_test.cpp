#include "memory_planner/divide_loops.h"

#include <gtest/gtest.h>

#include "memory_planner/extract_stage.h"

#include "tests/support/grouped_sums.h"

namespace solway::memory_planner {
namespace {

using schedule::State;

TEST(DivideLoops, SplitsALoopAtTheDivisor) {
  const samples::GroupedSums sums(64, 8, 16);
  const State state = schedule::make_state({sums.s}, {});
  const auto divided = divide_loops(state, "S", samples::at(9));
  ASSERT_TRUE(divided);
  ASSERT_EQ(divided->loops.size(), 2U);
  Decided decided;
  decided.divided = divided->loops;
  const PlannedStage stage = extract_stage(divided->state, "S", {}, decided);
  ASSERT_EQ(stage.loops.size(), 4U);
  EXPECT_TRUE(is_free(stage));
  EXPECT_EQ(stage.model.loops[0].extent, 4);
  EXPECT_EQ(stage.model.loops[1].extent, 16);
  const DimModel& channel = stage.model.tensors.at(0).dims.at(0);
  ASSERT_EQ(channel.terms.size(), 2U);  // of the blocks, and of the sum
  EXPECT_EQ(channel.terms[0].loop, 0);
  EXPECT_EQ(channel.terms[0].growth, 16);
  EXPECT_EQ(channel.terms[1].loop, 3);
}

TEST(DivideLoops, WhatTheUserSplitsStaysFixed) {
  const samples::GroupedSums sums(64, 8, 16);
  const State state = schedule::make_state({sums.s}, {});
  const auto divided = divide_loops(state, "S", samples::at(9));
  ASSERT_TRUE(divided);
  EXPECT_FALSE(is_free(extract_stage(divided->state, "S")));
}

TEST(DivideLoops, NothingWhereIndicesMoveEvenly) {
  const samples::Matmul matmul(8, 8, 8);
  EXPECT_FALSE(divide_loops(schedule::make_state({matmul.c}, {}), "C", samples::at(9)));
}

TEST(DivideLoops, NothingWhereBlocksDoNotFillTheLoop) {
  const samples::GroupedSums sums(60, 8, 16);
  EXPECT_FALSE(divide_loops(schedule::make_state({sums.s}, {}), "S", samples::at(9)));
}

}  // namespace
}  // namespace solway::memory_planner
