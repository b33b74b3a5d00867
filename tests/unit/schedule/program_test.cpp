#include "schedule/program.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace solway::schedule
