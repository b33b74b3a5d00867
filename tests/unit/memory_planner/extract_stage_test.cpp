#include "memory_planner/extract_stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "schedule/split.h"
#include "schedule/vectorize.h"

#include "tests/support/far_references.h"

namespace solway::memory_planner {
namespace {

using schedule::State;

TEST(ExtractStage, AMatmulIsThatOfThePaper) {
  const samples::Matmul matmul(2, 1024, 1024);
  const PlannedStage stage = extract_stage(schedule::make_state({matmul.c}, {}), "C");
  ASSERT_EQ(stage.model.loops.size(), 3U);
  EXPECT_EQ(stage.model.loops[1].name, "y");
  EXPECT_EQ(stage.model.loops[1].extent, 1024);
  EXPECT_EQ(stage.model.loops[2].kind, dsl::AxisKind::Reduce);
  ASSERT_EQ(stage.model.tensors.size(), 3U);
  EXPECT_EQ(stage.model.tensors[0].name, "A");
  EXPECT_EQ(stage.model.tensors[1].name, "B");
  EXPECT_EQ(stage.model.tensors[2].name, "C");
  EXPECT_EQ(stage.model.tensors[2].direction, AccessDirection::Write);
  EXPECT_EQ(stage.model.tensors[1].element_bytes, 4);
  EXPECT_EQ(stage.model.tensors[1].dims[0].terms[0].loop, 2);
  EXPECT_FALSE(stage.keeps_order);
}

TEST(ExtractStage, StagesAreDescribedOneByOne) {
  const samples::Pipeline pipeline(10, DType::Float64);
  const State state = schedule::make_state({pipeline.c}, {});
  const PlannedStage stage = extract_stage(state, "C");
  ASSERT_EQ(stage.model.tensors.size(), 2U);
  EXPECT_EQ(stage.model.tensors[0].name, "P");
  EXPECT_EQ(stage.model.tensors[0].element_bytes, 8);
  EXPECT_EQ(stage.model.tensors[0].dims[0].base, 2);
}

TEST(ExtractStage, WhatTheUserFixedIsMarked) {
  const samples::Matmul matmul(8, 64, 32);
  State state = schedule::make_state({matmul.c}, {});
  const auto loops = state.stage_loops.at("C");
  state = schedule::split(state, "C", loops[1], 16, {}).state;
  state = schedule::parallel(state, "C", loops[0], {});
  const PlannedStage stage = extract_stage(state, "C");  // x, y.o, y.i, k
  EXPECT_EQ(stage.model.loops[0].tiling, Tiling::Outside);
  EXPECT_TRUE(stage.model.loops[0].is_parallel);
  EXPECT_EQ(stage.model.loops[1].tiling, Tiling::Outside);
  EXPECT_EQ(stage.model.loops[2].tiling, Tiling::Inside);
  EXPECT_EQ(stage.model.loops[3].tiling, Tiling::Free);
}

TEST(ExtractStage, ASplitForCoresLeavesItsInnerLoopFree) {
  const samples::Matmul matmul(8, 64, 32);
  State state = schedule::make_state({matmul.c}, {});
  const auto made = schedule::split(state, "C", state.stage_loops.at("C")[1], 16, {});
  state = schedule::parallel(made.state, "C", made.outer, {});
  const PlannedStage stage = extract_stage(state, "C");
  EXPECT_EQ(stage.model.loops[1].tiling, Tiling::Outside);
  EXPECT_EQ(stage.model.loops[2].tiling, Tiling::Free);
}

TEST(ExtractStage, VectorLoopsLieInsideAndAReorderIsSeen) {
  const samples::Matmul matmul(8, 64, 32);
  State state = schedule::make_state({matmul.c}, {});
  const auto loops = state.stage_loops.at("C");
  state = schedule::reorder(state, "C", {loops[2], loops[1]}, {});
  state = schedule::vectorize(state, "C", loops[1], {});
  const PlannedStage stage = extract_stage(state, "C");
  EXPECT_TRUE(stage.keeps_order);
  EXPECT_EQ(stage.model.loops[2].tiling, Tiling::Inside);
}

TEST(ExtractStage, TheValueOfANestedReductionIsATensorOfItsOwn) {
  const samples::NestedMatmul nested(4, 8, 16);
  const PlannedStage stage = extract_stage(schedule::make_state({nested.d}, {}), "D");
  EXPECT_TRUE(stage.model.is_nested);
  std::vector<std::string> names;
  for (const TensorModel& tensor : stage.model.tensors) names.push_back(tensor.name);
  EXPECT_THAT(names, testing::ElementsAre("A", "B", "D_r0", "D"));
  EXPECT_EQ(stage.model.tensors[2].direction, AccessDirection::Write);
  EXPECT_TRUE(stage.model.tensors[2].is_local);
  EXPECT_FALSE(stage.model.tensors[3].is_local);
  EXPECT_THAT(stage.model.tensors[3].elsewhere, testing::ElementsAre(2));
  EXPECT_TRUE(stage.model.tensors[1].elsewhere.empty());
}

TEST(ExtractStage, AReductionIsWholeWhereATensorIsReadBesideIt) {
  const samples::NestedMatmul nested(4, 8, 16);
  const State state = schedule::make_state({nested.d}, {});
  const PlannedStage stage = extract_stage(state, "D");
  EXPECT_EQ(stage.model.loops[2].tiling, Tiling::Inside);  // A[x, k] under k, A[x, 0] beside it
  EXPECT_TRUE(stage.model.loops[2].is_whole);
  EXPECT_EQ(stage.model.loops[1].tiling, Tiling::Free);
  const PlannedStage without = extract_stage(state, "D", {"A"});
  EXPECT_EQ(without.model.loops[2].tiling, Tiling::Free);
  EXPECT_EQ(without.model.tensors.size(), 3U);
}

TEST(ExtractStage, ASumThatIsTheWholeStageIsNotNested) {
  const samples::Matmul matmul(4, 8, 16);
  const PlannedStage stage = extract_stage(schedule::make_state({matmul.c}, {}), "C");
  EXPECT_FALSE(stage.model.is_nested);
  EXPECT_FALSE(stage.model.tensors[2].is_local);
}

TEST(ExtractStage, ReferencesThatAreApartAreTensorsOfTheirOwn) {
  const State state = schedule::make_state({samples::sum_of_points(64, {0, 1, 64})}, {});
  const PlannedStage together = extract_stage(state, "Y");
  ASSERT_EQ(together.model.tensors.size(), 2U);
  EXPECT_EQ(together.model.tensors[0].dims[0].base, 65);
  EXPECT_EQ(together.model.tensors[0].references, std::nullopt);
  Decided decided;
  decided.apart["Y"] = {"X"};
  const PlannedStage apart = extract_stage(state, "Y", {}, decided);
  ASSERT_EQ(apart.model.tensors.size(), 3U);
  EXPECT_EQ(apart.model.tensors[0].references, (std::vector<int>{0, 1}));
  EXPECT_EQ(apart.model.tensors[0].dims[0].base, 2);
  EXPECT_EQ(apart.model.tensors[0].label, "X[i] and 1 more");
  EXPECT_EQ(apart.model.tensors[1].references, (std::vector<int>{2}));
  EXPECT_EQ(apart.model.tensors[1].dims[0].base, 1);
  EXPECT_EQ(apart.model.tensors[1].label, "X[i + 64]");
  EXPECT_EQ(apart.model.tensors[1].name, "X");
  // Of other stages they are not.
  decided.apart = {{"Z", {"X"}}};
  EXPECT_EQ(extract_stage(state, "Y", {}, decided).model, together.model);
}

}  // namespace
}  // namespace solway::memory_planner
