#include "schedule/rfactor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsl/reducer.h"
#include "schedule/compute_at.h"
#include "schedule/parallel.h"
#include "schedule/program_legality.h"
#include "schedule/split.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using ::testing::HasSubstr;
using testing::refusal;
using testing::ScheduledMatmul;

TEST(Rfactor, MakesOnePartialResultPerValueOfTheAxis) {
  const ScheduledMatmul matmul(2, 3, 10);
  const SplitResult parts = split(matmul.state, "C", matmul.lk, 4, samples::at(6));
  const RfactorResult made = rfactor(parts.state, "C", parts.outer, samples::at(7));
  EXPECT_EQ(made.partials[0]->name, "C_rf");
  EXPECT_EQ(made.partials[0]->shape, (std::vector<std::int64_t>{3, 2, 3}));
  EXPECT_EQ(matmul.printed(made.state),
            "  allocate C_rf: float32[3, 2, 3] {\n"
            "    for x in [0, 2) {\n"
            "      for y in [0, 3) {\n"
            "        for k_o in [0, 3) {\n"
            "          C_rf[k_o, x, y] = 0.0f32\n"
            "          for k_i in [0, min(((k_o * -4) + 10), 4)) {\n"
            "            C_rf[k_o, x, y] = (C_rf[k_o, x, y] + (A[x, ((k_o * 4) + k_i)] * "
            "B[((k_o * 4) + k_i), y]))\n"
            "          }\n"
            "        }\n"
            "      }\n"
            "    }\n"
            "    for x in [0, 2) {\n"
            "      for y in [0, 3) {\n"
            "        C[x, y] = 0.0f32\n"
            "        for k_o in [0, 3) {\n"
            "          C[x, y] = (C[x, y] + C_rf[k_o, x, y])\n"
            "        }\n"
            "      }\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(Rfactor, MakesATensorPerValue) {
  const dsl::Tensor a = dsl::make_placeholder({2, 12}, DType::Float32, "A", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 2, samples::at(2));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 12, samples::at(2));
  const dsl::Expr value =
      dsl::make_read(a, {samples::value_of(i), samples::value_of(k)}, samples::at(2));
  const dsl::Tensor c = dsl::make_compute(
      {2}, {i}, dsl::make_arg_reduce(dsl::Extreme::Largest, value, {k}, samples::at(2)), "C",
      samples::at(2));
  const State before = make_state({c}, samples::at(3));
  const LoopId loop = before.stage_loops.at("C").back();
  const SplitResult parts = split(before, "C", loop, 4, samples::at(6));
  const RfactorResult made = rfactor(parts.state, "C", parts.inner, samples::at(7));
  ASSERT_EQ(made.partials.size(), 2U);
  EXPECT_EQ(made.partials[0]->type, DType::Float32);
  EXPECT_EQ(made.partials[1]->type, DType::Int64);
  EXPECT_EQ(dsl::members_of(made.partials[1]), made.partials);
  const Statement& merge = made.state.program->statement("C_merge");
  EXPECT_EQ(merge.writes.size(), 2U);
  EXPECT_EQ(merge.reads.size(), 4U);
  EXPECT_TRUE(made.state.program->statement("C_rf_0").writes_to("C_rf_1"));
}

TEST(Rfactor, PartsAreCountedFromZero) {
  const dsl::Tensor a = dsl::make_placeholder({10}, DType::Float32, "A", samples::at(1));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 2, 10, samples::at(2));
  const dsl::Expr sum =
      dsl::make_reduce(ReduceOp::Sum, dsl::make_read(a, {samples::value_of(k)}, samples::at(2)),
                       {k}, samples::at(2));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 1, samples::at(2));
  const State before =
      make_state({dsl::make_compute({1}, {i}, sum, "C", samples::at(2))}, samples::at(3));
  const RfactorResult made =
      rfactor(before, "C", before.stage_loops.at("C").back(), samples::at(7));
  EXPECT_EQ(made.partials[0]->shape, (std::vector<std::int64_t>{8, 1}));
  const isl::map cell = made.state.program->statement("C_rf").writes[0].relation;
  EXPECT_TRUE(cell.is_equal(
      isl::map(cell.ctx(), "{ C_rf[i, k] -> C_rf[k - 2, i] : i = 0 and 2 <= k < 10 }")));
}

TEST(Rfactor, TheFactoredAxisIsASpatialLoop) {
  const ScheduledMatmul matmul(2, 2, 8);
  const SplitResult parts = split(matmul.state, "C", matmul.lk, 4, samples::at(6));
  const State state = rfactor(parts.state, "C", parts.inner, samples::at(7)).state;
  EXPECT_NO_THROW(parallel(state, "C_rf", parts.inner, samples::at(8)));
  EXPECT_EQ(state.stage_loops.at("C").size(), 3U);
  EXPECT_EQ(state.log.back().buffer, "C_rf");
}

TEST(Rfactor, OfAPartialResult) {
  const ScheduledMatmul matmul(1, 1, 8);
  const SplitResult outer = split(matmul.state, "C", matmul.lk, 4, samples::at(6));
  State state = rfactor(outer.state, "C", outer.outer, samples::at(7)).state;
  const LoopId merged = state.stage_loops.at("C").back();
  EXPECT_EQ(
      refusal<ScheduleArgumentError>([&] { rfactor(state, "C", merged, samples::at(8)); }).fix,
      "factor the partial results further");
}

TEST(Rfactor, AMergeBeforeItsStartIsReportedByWhatItReads) {
  const ScheduledMatmul matmul(1, 1, 8);
  const SplitResult parts = split(matmul.state, "C", matmul.lk, 4, samples::at(6));
  const State state = rfactor(parts.state, "C", parts.outer, samples::at(7)).state;
  Order order = state.order;
  ASSERT_EQ(order.placements.back().statement, "C_merge");
  std::iter_swap(order.placements.end() - 1, order.placements.end() - 2);
  Program program = *state.program;
  program.reference = time_of(program.ctx(), order, program.domains());
  const auto report = refusal<IllegalScheduleError>([&] {
    require_program_legal(*state.original, program, {"moved", samples::at(8)});
  });
  EXPECT_THAT(report.what, HasSubstr("C[0, 0]"));
}

TEST(Rfactor, ThePartialResultsMayBePlaced) {
  const ScheduledMatmul matmul(4, 4, 8);
  const SplitResult parts = split(matmul.state, "C", matmul.lk, 4, samples::at(6));
  State state = rfactor(parts.state, "C", parts.outer, samples::at(7)).state;
  state = compute_at(state, "C_rf", "C", state.stage_loops.at("C")[0], samples::at(8));
  EXPECT_THAT(matmul.printed(state), HasSubstr("allocate C_rf: float32[2, 1, 4] in panel"));
}

TEST(Rfactor, WhatUsesANestedReductionFollowsTheMerge) {
  const ScheduledMatmul matmul(2, 2, 8);
  const auto twice = dsl::make_compute(
      {2, 2}, {matmul.x, matmul.y},
      dsl::make_binary(BinaryOp::Add, matmul.c->body, matmul.c->body, samples::at(7)), "D",
      samples::at(7));
  const State state = make_state({twice}, samples::at(8));
  const RfactorResult made = rfactor(state, "D", state.stage_loops.at("D")[2], samples::at(9));
  EXPECT_EQ(made.partials[0]->shape, (std::vector<std::int64_t>{8, 2, 2}));
  std::vector<std::string> order;
  for (const Placement& p : made.state.order.placements) order.push_back(p.statement);
  EXPECT_THAT(order, ::testing::ElementsAre("D_rf_init", "D_rf", "D_r0_init", "D_merge", "D"));
  EXPECT_EQ(made.state.order.placements[4].path.front(),
            made.state.order.placements[3].path.front());
}

TEST(Rfactor, RefusesASpatialAxisAndTwoReductions) {
  const ScheduledMatmul matmul(2, 2, 8);
  EXPECT_EQ(refusal<ScheduleArgumentError>([&] {
              rfactor(matmul.state, "C", matmul.lx, samples::at(7));
            }).what,
            "rfactor(C, x): 'x' is no reduction axis");
  const auto other = dsl::make_axis("k2", dsl::AxisKind::Reduce, 0, 2, samples::at(5));
  const auto own = dsl::make_reduce(
      ReduceOp::Max,
      dsl::make_cast(dsl::make_axis_ref(other, samples::at(5)), DType::Float32, samples::at(5)),
      {other}, samples::at(6));
  const auto both = dsl::make_compute(
      {2, 2}, {matmul.x, matmul.y},
      dsl::make_binary(BinaryOp::Add, matmul.c->body, own, samples::at(7)), "D", samples::at(7));
  const State state = make_state({both}, samples::at(8));
  EXPECT_EQ(refusal<UnsupportedError>([&] {
              rfactor(state, "D", state.stage_loops.at("D")[2], samples::at(9));
            }).why,
            "it has 2 reductions");
}

}  // namespace
}  // namespace solway::schedule
