#include "memory_planner/vector_body_cost.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

VectorBodyCost cost(const dsl::Tensor& tensor, const Target& machine = testing::vector_machine()) {
  const schedule::State state = schedule::make_state({tensor}, {});
  double most = -1;
  VectorBodyCost out;
  for (const std::string& name : schedule::statements_of(state, tensor->name)) {
    const schedule::Statement& s = state.program->statement(name);
    if (s.kind == schedule::StatementKind::Init) continue;
    const VectorBodyCost found = cost_of_body(s, machine);
    if (found.cycles > most) out = found;
    most = out.cycles;
  }
  return out;
}

TEST(VectorBodyCost, AProductThatIsAddedIsOneOperation) {
  const samples::Matmul matmul(8, 32, 64);
  EXPECT_DOUBLE_EQ(cost(matmul.c).cycles, 0.5);
  EXPECT_DOUBLE_EQ(cost(matmul.c).chain_cycles, 4);
}

dsl::Tensor reduced(ReduceOp op, DType type) {
  using samples::at;
  const dsl::Tensor a = dsl::make_placeholder({8, 64}, type, "A", at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, at(2));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 64, at(2));
  const dsl::Expr read = dsl::make_read(a, {samples::value_of(i), samples::value_of(k)}, at(2));
  return dsl::make_compute({8}, {i}, dsl::make_reduce(op, read, {k}, at(2)), "R", at(2));
}

TEST(VectorBodyCost, ALoopCarriesWhereNanWasInRegistersUnlessThereAreMasks) {
  const Target narrow = testing::narrow_machine();
  EXPECT_EQ(cost(reduced(ReduceOp::Max, DType::Float32), narrow).carried, 2);
  EXPECT_EQ(cost(reduced(ReduceOp::Min, DType::Float64), narrow).carried, 2);
  EXPECT_EQ(cost(reduced(ReduceOp::Max, DType::Float32)).carried, 1);
  EXPECT_EQ(cost(reduced(ReduceOp::Max, DType::Int32), narrow).carried, 1);
  EXPECT_EQ(cost(reduced(ReduceOp::Sum, DType::Float32), narrow).carried, 1);
}

TEST(VectorBodyCost, IntegersAddInACycle) {
  const samples::Matmul matmul(8, 32, 64, DType::Int32);
  EXPECT_DOUBLE_EQ(cost(matmul.c).cycles, 1);  // a product, then a sum
  EXPECT_DOUBLE_EQ(cost(matmul.c).chain_cycles, 1);
}

TEST(VectorBodyCost, FunctionsCostMoreThanSums) {
  using samples::at;
  const dsl::Tensor a = dsl::make_placeholder({8}, DType::Float32, "A", at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, at(2));
  const dsl::Expr read = dsl::make_read(a, {samples::value_of(i)}, at(2));
  const auto of = [&](dsl::Expr body) {
    return cost(dsl::make_compute({8}, {i}, std::move(body), "C", at(2))).cycles;
  };
  const double sum = of(dsl::make_binary(BinaryOp::Add, read, read, at(2)));
  const double quotient = of(dsl::make_binary(BinaryOp::Div, read, read, at(2)));
  const double power = of(dsl::make_unary(UnaryOp::Exp, read, at(2)));
  EXPECT_LT(sum, quotient);
  EXPECT_LT(quotient, power);
}

TEST(VectorBodyCost, FunctionsInVectorsCostLessThanCallsOfEachLane) {
  using samples::at;
  const auto of = [&](UnaryOp op, DType type) {
    const dsl::Tensor a = dsl::make_placeholder({8}, type, "A", at(1));
    const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, at(2));
    const dsl::Expr read = dsl::make_read(a, {samples::value_of(i)}, at(2));
    return cost(dsl::make_compute({8}, {i}, dsl::make_unary(op, read, at(2)), "C", at(2))).cycles;
  };
  EXPECT_DOUBLE_EQ(of(UnaryOp::Exp, DType::Float32), 9);
  EXPECT_LT(of(UnaryOp::Exp, DType::Float32), of(UnaryOp::Tanh, DType::Float32));
  EXPECT_DOUBLE_EQ(of(UnaryOp::Sin, DType::Float64), 12 * 8);  // the C library's, for each lane
  EXPECT_LT(of(UnaryOp::Sin, DType::Float32), of(UnaryOp::Sin, DType::Float64));
  EXPECT_LT(of(UnaryOp::Exp, DType::Float64), of(UnaryOp::Erf, DType::Float64));
  EXPECT_DOUBLE_EQ(of(UnaryOp::Floor, DType::Float32), 0.5);
}

}  // namespace
}  // namespace solway::memory_planner
