#include "driver/even_steps.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsl/terms_where.h"

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::driver {
namespace {

using memory_planner::testing::vector_machine;
using samples::at;
using schedule::State;
using testing::ElementsAre;

dsl::Axis axis(const char* name, dsl::AxisKind kind, std::int64_t extent) {
  return dsl::make_axis(name, kind, 0, extent, at(2));
}

dsl::Expr binary(BinaryOp op, const dsl::Expr& a, const dsl::Expr& b) {
  return dsl::make_binary(op, a, b, at(2));
}

dsl::Expr binary(BinaryOp op, const dsl::Expr& a, std::int64_t b) {
  return binary(op, a, dsl::make_int(b, DType::Int64, true, at(2)));
}

std::vector<std::string> loops(const State& state) {
  std::vector<std::string> out;
  for (const schedule::LoopId id : state.stage_loops.at("Y")) {
    out.push_back(schedule::loop_name(state, id));
  }
  return out;
}

std::optional<State> cut(const dsl::Tensor& y) {
  return cut_to_even_steps(schedule::make_state({y}, {}), "Y", vector_machine(), at(9));
}

/// Y[m, x] = sum_c X[m // group * depth + c, x] * W[m, c].
dsl::Tensor in_groups(std::int64_t group) {
  const auto x = dsl::make_placeholder({16, 64}, DType::Float32, "X", at(1));
  const auto w = dsl::make_placeholder({64, 8}, DType::Float32, "W", at(1));
  const auto m = axis("m", dsl::AxisKind::Spatial, 64);
  const auto n = axis("x", dsl::AxisKind::Spatial, 64);
  const auto c = axis("c", dsl::AxisKind::Reduce, 8);
  const auto first =
      binary(BinaryOp::Mul, binary(BinaryOp::FloorDiv, samples::value_of(m), group), 8);
  const auto row = binary(BinaryOp::Add, first, samples::value_of(c));
  const auto term = binary(BinaryOp::Mul, dsl::make_read(x, {row, samples::value_of(n)}, at(2)),
                           dsl::make_read(w, {samples::value_of(m), samples::value_of(c)}, at(2)));
  return dsl::make_compute({64, 64}, {m, n}, dsl::make_reduce(ReduceOp::Sum, term, {c}, at(2)), "Y",
                           at(2));
}

TEST(EvenSteps, GroupsAreALoop) {
  const auto made = cut(in_groups(32));
  ASSERT_TRUE(made);
  EXPECT_THAT(loops(*made), ElementsAre("m.o", "m.i", "x", "c"));
  EXPECT_EQ(made->order.loop(made->stage_loops.at("Y")[1]).extent(), 32);
  EXPECT_EQ(made->order.loop(made->stage_loops.at("Y")[1]).mark, schedule::LoopMark::Serial);
}

/// Y[x] = sum_q X[(x - q) // 2 + 2] * W[q] where x - q is even, or of all q.
dsl::Tensor between_zeros(bool is_conditional) {
  const auto in = dsl::make_placeholder({36}, DType::Float32, "X", at(1));
  const auto w = dsl::make_placeholder({3}, DType::Float32, "W", at(1));
  const auto x = axis("x", dsl::AxisKind::Spatial, 63);
  const auto q = axis("q", dsl::AxisKind::Reduce, 3);
  const auto apart = binary(BinaryOp::Sub, samples::value_of(x), samples::value_of(q));
  const auto place = binary(BinaryOp::Add, binary(BinaryOp::FloorDiv, apart, 2), 2);
  auto term = binary(BinaryOp::Mul, dsl::make_read(in, {place}, at(2)),
                     dsl::make_read(w, {samples::value_of(q)}, at(2)));
  if (is_conditional) {
    term = dsl::make_terms_where(ReduceOp::Sum, term,
                                 binary(BinaryOp::Eq, binary(BinaryOp::Mod, apart, 2), 0), at(2));
  }
  return dsl::make_compute({63}, {x}, dsl::make_reduce(ReduceOp::Sum, term, {q}, at(2)), "Y",
                           at(2));
}

TEST(EvenSteps, IterationsWithOtherTermsAreWrittenOut) {
  const auto made = cut(between_zeros(true));
  ASSERT_TRUE(made);
  EXPECT_THAT(loops(*made), ElementsAre("x.o", "x.i", "q"));
  EXPECT_EQ(made->order.loop(made->stage_loops.at("Y")[1]).mark, schedule::LoopMark::Unrolled);
}

TEST(EvenSteps, WhatMovesEvenlyStays) {
  EXPECT_FALSE(cut(in_groups(64)));
  EXPECT_FALSE(cut(between_zeros(false)));  // not even for all q, whatever the loop
  EXPECT_FALSE(cut_to_even_steps(schedule::make_state({samples::Matmul(8, 32, 64).c}, {}), "C",
                                 vector_machine(), at(9)));
}

}  // namespace
}  // namespace solway::driver
