#include "memory_planner/lane_steps.h"

#include <gtest/gtest.h>

#include "schedule/split.h"

#include "tests/support/sample_programs.h"

namespace solway::memory_planner {
namespace {

using schedule::AccessKind;
using schedule::State;

std::optional<std::int64_t> step(const State& state, const std::string& array, std::size_t loop,
                                 std::int64_t block = 0) {
  const auto kind = array == "C" ? AccessKind::Writes : AccessKind::Reads;
  const auto accesses = schedule::accesses_of(state, "C", array, kind);
  return step_of(state, accesses.front(), state.stage_loops.at("C")[loop], block);
}

TEST(LaneSteps, AProductStepsAlongRowsAndColumns) {
  const samples::Matmul matmul(8, 16, 32);
  const State state = schedule::make_state({matmul.c}, {});
  EXPECT_EQ(step(state, "A", 0), 32);
  EXPECT_EQ(step(state, "A", 1), 0);
  EXPECT_EQ(step(state, "A", 2), 1);
  EXPECT_EQ(step(state, "B", 1), 1);
  EXPECT_EQ(step(state, "B", 2), 16);
  EXPECT_EQ(step(state, "C", 0), 16);
}

TEST(LaneSteps, TheOuterLoopOfASplitStepsOverBlocks) {
  const samples::Matmul matmul(8, 16, 32);
  const State state = schedule::make_state({matmul.c}, {});
  const auto made = schedule::split(state, "C", state.stage_loops.at("C")[1], 4, {});
  EXPECT_EQ(step(made.state, "B", 1), 4);
  EXPECT_EQ(step(made.state, "B", 2), 1);
}

/// C[j] = P[j // 4, j % 4] with blocks 4 x 8 apart.
struct Blocked {
  dsl::Tensor p, c;

  Blocked() {
    using samples::at;
    p = dsl::make_placeholder({4, 8}, DType::Float32, "P", at(1));
    const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 16, at(2));
    const dsl::Expr four = dsl::make_int(4, DType::Int64, true, at(2));
    const dsl::Expr row = dsl::make_binary(BinaryOp::FloorDiv, samples::value_of(j), four, at(2));
    const dsl::Expr column = dsl::make_binary(BinaryOp::Mod, samples::value_of(j), four, at(2));
    c = dsl::make_compute({16}, {j}, dsl::make_read(p, {row, column}, at(2)), "C", at(2));
  }
};

TEST(LaneSteps, BlocksLieSideBySideInsideOnly) {
  const Blocked blocked;
  const State state = schedule::make_state({blocked.c}, {});
  EXPECT_EQ(step(state, "P", 0), std::nullopt);
  EXPECT_EQ(step(state, "P", 0, 4), 1);
  EXPECT_EQ(step(state, "P", 0, 8), std::nullopt);
}

}  // namespace
}  // namespace solway::memory_planner
