#include "memory_planner/stage_memo.h"

#include <gtest/gtest.h>

#include "schedule/parallel.h"
#include "schedule/split.h"

#include "tests/support/grouped_sums.h"

namespace solway::memory_planner {
namespace {

using schedule::State;

TEST(StageMemo, DescribesAStageOnce) {
  const samples::Matmul matmul(8, 16, 32);
  const State state = schedule::make_state({matmul.c}, {});
  StageMemo memo;
  const PlannedStage first = memo.extract(state, "C");
  const PlannedStage again = memo.extract(State(state), "C");
  EXPECT_EQ(memo.extractions(), 1U);
  const PlannedStage described = extract_stage(state, "C");
  for (const PlannedStage& stage : {first, again}) {
    EXPECT_EQ(stage.model, described.model);
    EXPECT_EQ(stage.loops, described.loops);
  }
}

TEST(StageMemo, WhatDiffersIsDescribedAnew) {
  const samples::Matmul matmul(8, 16, 32);
  const State state = schedule::make_state({matmul.c}, {});
  const schedule::LoopId y = state.stage_loops.at("C")[0];
  StageMemo memo;
  memo.extract(state, "C");
  EXPECT_EQ(memo.extract(state, "C", {"A"}).model.tensors.size(), 2U);
  Decided apart;
  apart.apart["C"] = {"A"};
  EXPECT_TRUE(memo.extract(state, "C", {}, apart).model.tensors[0].references);
  const State split = schedule::split(state, "C", y, 4, samples::at(9)).state;
  EXPECT_EQ(memo.extract(split, "C").model.loops.size(), 4U);
  const State marked = schedule::parallel(state, "C", y, samples::at(9));
  EXPECT_TRUE(memo.extract(marked, "C").model.loops[0].is_parallel);
  EXPECT_EQ(memo.extractions(), 5U);
  EXPECT_FALSE(memo.extract(state, "C").model.loops[0].is_parallel);
  EXPECT_EQ(memo.extractions(), 5U);
}

TEST(StageMemo, DividesAStageOnce) {
  const samples::GroupedSums sums(64, 8, 16);
  const State state = schedule::make_state({sums.s}, {});
  StageMemo memo;
  const auto first = memo.divide(state, "S", samples::at(9));
  const auto again = memo.divide(state, "S", samples::at(9));
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->loops, again->loops);
  Decided decided;
  decided.divided = first->loops;
  memo.extract(first->state, "S", {}, decided);
  memo.extract(again->state, "S", {}, decided);
  EXPECT_EQ(memo.extractions(), 1U);
  const samples::Matmul matmul(8, 8, 8);
  EXPECT_FALSE(memo.divide(schedule::make_state({matmul.c}, {}), "C", samples::at(9)));
}

}  // namespace
}  // namespace solway::memory_planner
