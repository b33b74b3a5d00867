#include "schedule/program.h"

#include <gtest/gtest.h>

#include "dsl/reducer.h"
#include "dsl/update.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"

namespace solway::schedule {
namespace {

TEST(MakeProgram, EachStageAfterWhatItReads) {
  const samples::Pipeline p(4);
  const ProgramAndOrder made = make_program({p.c}, samples::at(5));
  ASSERT_EQ(made.program->stages.size(), 2U);
  EXPECT_EQ(made.program->stages[0], p.p);
  EXPECT_EQ(made.program->stages[1], p.c);
  EXPECT_EQ(made.order.placements[0].statement, "P");
  EXPECT_EQ(made.order.placements[1].statement, "C");
  EXPECT_EQ(made.program->statement("C").reads.size(), 2U);
  EXPECT_EQ(made.program->array("A").kind, ArrayKind::Tensor);
}

TEST(MakeProgram, AReductionIsInitialisedBeforeItsUpdates) {
  const samples::Matmul m(2, 3, 4);
  const ProgramAndOrder made = make_program({m.c}, samples::at(5));
  EXPECT_EQ(made.program->statement("C_init").kind, StatementKind::Init);
  EXPECT_EQ(made.program->statement("C").kind, StatementKind::Update);
  EXPECT_EQ(made.order.placement_of("C_init").path.size(), 2U);
  EXPECT_EQ(made.order.placement_of("C").path.size(), 3U);
}

TEST(MakeProgram, AReductionStartsWithItsIdentity) {
  const auto identity = [](ReduceOp op) {
    const dsl::Tensor a = dsl::make_placeholder({4}, DType::Int32, "A", samples::at(1));
    const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 4, samples::at(2));
    const dsl::Expr value = dsl::make_read(a, {samples::value_of(k)}, samples::at(2));
    const dsl::Tensor c = dsl::make_compute(
        {}, {}, dsl::make_reduce(op, value, {k}, samples::at(2)), "C", samples::at(2));
    const ProgramAndOrder made = make_program({c}, samples::at(3));
    return made.program->statement("C_init").writes[0].value->int_value;
  };
  EXPECT_EQ(identity(ReduceOp::Sum), 0);
  EXPECT_EQ(identity(ReduceOp::Prod), 1);
  EXPECT_EQ(identity(ReduceOp::Min), 2147483647);
  EXPECT_EQ(identity(ReduceOp::Max), -2147483648LL);
}

/// A[i] <- 2 A[i], in place, for steps where `domain` holds.
dsl::Tensor doubled(const dsl::Tensor& base, const std::string& name) {
  const dsl::Axis i =
      dsl::make_axis("i", dsl::AxisKind::Spatial, 0, base->shape[0], samples::at(6));
  const dsl::Expr read = dsl::make_read(base, {samples::value_of(i)}, samples::at(6));
  const dsl::Expr two = dsl::make_int(2, DType::Int64, true, samples::at(6));
  return dsl::make_update(base, {i}, {samples::value_of(i)},
                          dsl::make_binary(BinaryOp::Mul, read, two, samples::at(6)), nullptr, name,
                          samples::at(6));
}

TEST(MakeProgram, AnUpdateStoresIntoWhatItChangesAfterItsReaders) {
  const samples::Pipeline p(4);
  const dsl::Tensor changed = doubled(p.a, "A2");
  const ProgramAndOrder made = make_program({changed, p.c}, samples::at(7));
  ASSERT_EQ(made.program->stages.size(), 3U);
  EXPECT_EQ(made.program->stages[0], p.p);
  EXPECT_EQ(made.program->stages[1], changed);
  EXPECT_EQ(made.program->arrays.count("A2"), 0U);
  const isl::map stored = made.program->statement("A2").writes[0].relation;
  EXPECT_EQ(stored.get_range_tuple_id().name(), "A");
  EXPECT_TRUE(made.program->is_updated(made.program->array("A")));
  EXPECT_TRUE(made.program->is_output(made.program->array("A")));
  EXPECT_FALSE(made.program->is_output(made.program->array("P")));
}

TEST(MakeProgram, RefusesAnOutputThatIsChangedLater) {
  const samples::Pipeline p(4);
  const dsl::Tensor changed = doubled(p.c, "C2");
  EXPECT_THROW(make_program({p.c, changed}, samples::at(7)), DslError);
}

TEST(MakeProgram, ADomainHoldsForAllStatementsOfAStage) {
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 4, samples::at(2));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 3, samples::at(2));
  const dsl::Tensor a = dsl::make_placeholder({4, 3}, DType::Float32, "A", samples::at(1));
  const dsl::Expr sum = dsl::make_reduce(
      ReduceOp::Sum,
      dsl::make_read(a, {samples::value_of(i), samples::value_of(k)}, samples::at(2)), {k},
      samples::at(2));
  const dsl::Expr two = dsl::make_int(2, DType::Int64, true, samples::at(2));
  const dsl::Expr domain =
      dsl::make_binary(BinaryOp::Ne, samples::value_of(i), two, samples::at(2));
  const dsl::Tensor c = dsl::make_compute({4}, {i}, sum, "C", samples::at(2), domain);
  const ProgramAndOrder made = make_program({c}, samples::at(5));
  const isl::ctx ctx = made.program->ctx();
  EXPECT_TRUE(made.program->statement("C_init").domain.is_equal(
      isl::set(ctx, "{ C_init[i] : 0 <= i < 4 and i != 2 }")));
  EXPECT_TRUE(made.program->statement("C").domain.is_equal(
      isl::set(ctx, "{ C[i, k] : 0 <= i < 4 and i != 2 and 0 <= k < 3 }")));
}

/// argmin over k of A[i, k].
dsl::Tensor first_smallest(const dsl::Tensor& a) {
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, a->shape[0], samples::at(2));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, a->shape[1], samples::at(2));
  const dsl::Expr value =
      dsl::make_read(a, {samples::value_of(i), samples::value_of(k)}, samples::at(2));
  return dsl::make_compute({a->shape[0]}, {i},
                           dsl::make_arg_reduce(dsl::Extreme::Smallest, value, {k}, samples::at(2)),
                           "C", samples::at(2));
}

TEST(MakeProgram, AReductionOfATupleIsOneStatement) {
  const dsl::Tensor a = dsl::make_placeholder({4, 3}, DType::Float32, "A", samples::at(1));
  const ProgramAndOrder made = make_program({first_smallest(a)}, samples::at(5));
  const Statement& update = made.program->statement("C");
  ASSERT_EQ(update.writes.size(), 2U);
  EXPECT_TRUE(update.writes_to("C_r0_0"));
  EXPECT_TRUE(update.writes_to("C"));
  EXPECT_EQ(update.reads.size(), 3U);
  EXPECT_EQ(update.reads[0].read, nullptr);
  EXPECT_EQ(update.reads[1].read, nullptr);
  EXPECT_TRUE(update.group.has_value());
  EXPECT_EQ(made.program->statement("C_init").writes.size(), 2U);
  EXPECT_EQ(made.program->array("C_r0_0").kind, ArrayKind::Temporary);
  EXPECT_EQ(made.program->array("C").type, DType::Int64);
}

TEST(MakeProgram, UpdatesThatDoNotCommuteAreInNoGroup) {
  const dsl::Tensor a = dsl::make_placeholder({4}, DType::Int64, "A", samples::at(1));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 4, samples::at(2));
  const dsl::Expr zero = dsl::make_int(0, DType::Int64, false, samples::at(2));
  const auto last =
      dsl::make_combiner("last", {DType::Int64}, {zero},
                         {dsl::make_param(1, DType::Int64, samples::at(2))}, false, samples::at(2));
  const dsl::Expr value = dsl::make_read(a, {samples::value_of(k)}, samples::at(2));
  const dsl::Expr body = dsl::make_reduce(last, {value}, {k}, samples::at(2))[0];
  const dsl::Tensor c = dsl::make_compute({}, {}, body, "C", samples::at(2));
  const ProgramAndOrder made = make_program({c}, samples::at(5));
  EXPECT_FALSE(made.program->statement("C").group.has_value());
  EXPECT_FALSE(made.program->statement("C_init").group.has_value());
}

TEST(MakeProgram, TensorsOfOneComputeAreOneStage) {
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 4, samples::at(2));
  const dsl::Expr value = samples::value_of(i);
  const std::vector<dsl::Tensor> both = dsl::make_computes(
      {4}, {i}, {value, dsl::make_binary(BinaryOp::Mul, value, value, samples::at(2))}, {"C", "D"},
      samples::at(2));
  const ProgramAndOrder made = make_program({both[1]}, samples::at(5));
  ASSERT_EQ(made.program->stages.size(), 1U);
  EXPECT_EQ(made.program->stages[0], both[0]);
  EXPECT_EQ(made.program->statement("C").writes.size(), 2U);
  EXPECT_EQ(dsl::members_of(both[1]), both);
}

TEST(MakeProgram, AReadAtDataMayBeOfAllThatIsPromised) {
  const dsl::Tensor a = dsl::make_placeholder({8}, DType::Float32, "A", samples::at(1));
  const dsl::Tensor at = dsl::make_placeholder({4}, DType::Int64, "at", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 4, samples::at(2));
  const dsl::Expr index = dsl::make_bounded(
      dsl::make_read(at, {samples::value_of(i)}, samples::at(2)), 2, 5, samples::at(2));
  const dsl::Tensor c =
      dsl::make_compute({4}, {i}, dsl::make_read(a, {index}, samples::at(2)), "C", samples::at(2));
  const ProgramAndOrder made = make_program({c}, samples::at(5));
  const Statement& s = made.program->statement("C");
  ASSERT_EQ(s.reads.size(), 2U);
  EXPECT_FALSE(s.reads[0].is_exact);
  EXPECT_TRUE(s.reads[1].is_exact);
  EXPECT_TRUE(s.reads[0].relation.is_equal(
      isl::map(made.program->ctx(), "{ C[i] -> A[e] : 0 <= i < 4 and 2 <= e < 5 }")));
}

TEST(MakeProgram, RefusesTwoTensorsOfOneName) {
  const samples::Matmul one(2, 3, 4), other(2, 3, 4);
  try {
    make_program({one.c, other.c}, samples::at(9));
    FAIL() << "expected DslError";
  } catch (const DslError& e) {
    EXPECT_EQ(e.report().what, "two tensors are named 'A'");
    EXPECT_NE(e.report().why.find("user.py:1"), std::string::npos);
    EXPECT_EQ(e.report().where.line, 9);
  }
}

TEST(MakeProgram, AGivenTensorIsReadAndNotComputed) {
  const samples::Pipeline p(3);
  const ProgramAndOrder made = make_program({p.c}, samples::at(5), {p.p});
  ASSERT_EQ(made.program->stages.size(), 1U);
  EXPECT_EQ(made.program->stages[0], p.c);
  EXPECT_EQ(made.program->arrays.count("A"), 0U);
  EXPECT_TRUE(made.program->is_input(made.program->array("P")));
  EXPECT_FALSE(made.program->is_input(made.program->array("C")));
}

TEST(MakeProgram, AGivenTensorIsReadByAnOutputAndIsNone) {
  const samples::Pipeline p(3);
  EXPECT_THROW(make_program({p.p}, samples::at(5), {p.c}), ScheduleArgumentError);
  EXPECT_THROW(make_program({p.p, p.c}, samples::at(5), {p.p}), ScheduleArgumentError);
}

}  // namespace
}  // namespace solway::schedule
