#include "schedule/compute_root.h"

#include <gtest/gtest.h>

#include "schedule/compute_at.h"
#include "schedule/compute_inline.h"
#include "schedule/split.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using testing::refusal;

std::string printed(const State& s, const std::vector<dsl::Tensor>& args) {
  return ir::to_string(lowering::lower(s, args, "k", {}).kernel);
}

TEST(ComputeRoot, UndoesComputeAt) {
  const samples::Pipeline program(8);
  const State before = make_state({program.c}, samples::at(5));
  State state = compute_at(before, "P", "C", before.stage_loops.at("C")[0], samples::at(6));
  EXPECT_TRUE(is_placed(state, "P"));
  state = split(state, "P", state.stage_loops.at("P")[0], 2, samples::at(7)).state;
  state = compute_root(state, "P", samples::at(8));
  EXPECT_FALSE(is_placed(state, "P"));
  EXPECT_EQ(printed(state, {program.a, program.c}), printed(before, {program.a, program.c}));
  EXPECT_EQ(state.log.back().primitive, "compute_root");
}

TEST(ComputeRoot, TheAxesOfTheTensorAreUsableAgain) {
  const samples::Pipeline program(8);
  const State before = make_state({program.c}, samples::at(5));
  State state = compute_at(before, "P", "C", before.stage_loops.at("C")[0], samples::at(6));
  state = compute_root(state, "P", samples::at(7));
  EXPECT_EQ(state.axis_loops.at("P")[0].second, state.stage_loops.at("P")[0]);
}

TEST(ComputeRoot, OfAStageAtTheRootChangesNothing) {
  const samples::Pipeline program(8);
  const State before = make_state({program.c}, samples::at(5));
  const State state = compute_root(before, "P", samples::at(6));
  EXPECT_EQ(state.program, before.program);
}

TEST(ComputeRoot, RefusesAnInlinedStage) {
  const samples::Pipeline program(8);
  const State state = compute_inline(make_state({program.c}, samples::at(5)), "P", samples::at(6));
  EXPECT_EQ(refusal<ScheduleArgumentError>([&] { compute_root(state, "P", samples::at(7)); }).what,
            "compute_root() of 'P': it is inlined");
}

}  // namespace
}  // namespace solway::schedule
