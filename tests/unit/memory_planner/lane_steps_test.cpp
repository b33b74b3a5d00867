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

dsl::Expr number(std::int64_t value) {
  return dsl::make_int(value, DType::Int64, true, samples::at(2));
}

dsl::Expr binary(BinaryOp op, const dsl::Expr& a, const dsl::Expr& b) {
  return dsl::make_binary(op, a, b, samples::at(2));
}

/// C[j] = P[index of j] of 64 elements and `count` j.
template <typename Index>
State picked(std::int64_t count, const Index& index) {
  const auto p = dsl::make_placeholder({64}, DType::Float32, "P", samples::at(1));
  const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, count, samples::at(2));
  const dsl::Expr value = dsl::make_read(p, {index(samples::value_of(j))}, samples::at(2));
  return schedule::make_state({dsl::make_compute({count}, {j}, value, "C", samples::at(2))}, {});
}

std::optional<std::int64_t> usual_step(const State& state) {
  const auto accesses = schedule::accesses_of(state, "C", "P", AccessKind::Reads);
  return usual_step_of(state, accesses.front(), state.stage_loops.at("C")[0]);
}

TEST(LaneSteps, IndicesThatStayAtABorderUsuallyMoveByOne) {
  const State state = picked(66, [](const dsl::Expr& j) {
    const dsl::Expr before = binary(BinaryOp::Sub, j, number(1));
    return binary(BinaryOp::Max, number(0), binary(BinaryOp::Min, before, number(63)));
  });
  EXPECT_EQ(step(state, "P", 0), std::nullopt);
  EXPECT_EQ(usual_step(state), 1);
}

TEST(LaneSteps, IndicesThatBeginAgainUsuallyMoveByOne) {
  const auto around = [](std::int64_t period, std::int64_t factor) {
    return picked(64, [&](const dsl::Expr& j) {
      const dsl::Expr from = binary(BinaryOp::Mul, j, number(factor));
      return binary(BinaryOp::Mod, binary(BinaryOp::Add, from, number(64)), number(period));
    });
  };
  EXPECT_EQ(usual_step(around(40, 1)), 1);
  EXPECT_EQ(usual_step(around(40, -1)), -1);
  EXPECT_EQ(usual_step(around(40, 2)), std::nullopt);
  EXPECT_EQ(usual_step(around(4, 1)), std::nullopt);  // too often
}

/// C[i, j] = T[I[i] + `shift` of j, j]
State rows_of_a_table(bool shift) {
  const auto table = dsl::make_placeholder({90, 32}, DType::Float32, "T", samples::at(1));
  const auto rows = dsl::make_placeholder({8}, DType::Int32, "I", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, samples::at(2));
  const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 32, samples::at(2));
  const dsl::Expr read = dsl::make_read(rows, {samples::value_of(i)}, samples::at(2));
  dsl::Expr row = dsl::make_cast(read, DType::Int64, samples::at(2));
  if (shift) row = binary(BinaryOp::Add, row, samples::value_of(j));
  row = dsl::make_bounded(row, 0, 90, samples::at(2));
  const dsl::Expr value = dsl::make_read(table, {row, samples::value_of(j)}, samples::at(2));
  return schedule::make_state({dsl::make_compute({8, 32}, {i, j}, value, "C", samples::at(2))}, {});
}

TEST(LaneSteps, RowsThatDataChooseLieSideBySideInside) {
  EXPECT_EQ(step(rows_of_a_table(false), "T", 0), std::nullopt);
  EXPECT_EQ(step(rows_of_a_table(false), "T", 1), 1);
  EXPECT_EQ(step(rows_of_a_table(true), "T", 1), std::nullopt);
}

/// Of 34 iterations 2 * width stay at a border.
TEST(LaneSteps, WideBordersMayTurnInAQuarterOfTheIterations) {
  const auto clipped = [](std::int64_t extent, std::int64_t width) {
    return usual_step(picked(extent, [&](const dsl::Expr& j) {
      const dsl::Expr inside = binary(BinaryOp::Sub, j, number(width));
      return binary(BinaryOp::Max, number(0),
                    binary(BinaryOp::Min, inside, number(extent - 1 - 2 * width)));
    }));
  };
  EXPECT_EQ(clipped(34, 3), 1);
  EXPECT_EQ(clipped(24, 3), std::nullopt);
  EXPECT_EQ(clipped(72, 4), 1);
  EXPECT_EQ(clipped(74, 5), std::nullopt);
}

TEST(LaneSteps, FewIterationsHaveNoUsualStep) {
  const State state = picked(16, [](const dsl::Expr& j) {
    return binary(BinaryOp::Mod, binary(BinaryOp::Add, j, number(5)), number(16));
  });
  EXPECT_EQ(usual_step(state), std::nullopt);
}

}  // namespace
}  // namespace solway::memory_planner
