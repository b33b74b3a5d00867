#include "lowering/isl_ast.h"

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"

#include "tests/support/sample_programs.h"

namespace solway::lowering {
namespace {

TEST(MakeAst, OneInstancePerStatement) {
  const samples::Matmul m(2, 3, 4);
  const schedule::State state = schedule::make_state({m.c}, samples::at(5));
  const Ast ast = make_ast(state);
  EXPECT_TRUE(ast.root.isa<isl::ast_node_mark>());
  ASSERT_EQ(ast.instances.size(), 2U);
  for (const auto& [key, at] : ast.instances) {
    EXPECT_EQ(at.iteration.size(), at.statement->axes.size());
    EXPECT_EQ(at.writes.at(0).size(), 2U);
    EXPECT_EQ(at.reads.size(), at.statement->reads.size());
  }
}

/// Where the box of A begins that holds what sum over k in [2, 3) of f(A, k) reads.
std::string begin_of_box(const std::vector<std::int64_t>& before_k) {
  const dsl::Tensor a = dsl::make_placeholder({4}, DType::Float32, "A", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 1, samples::at(2));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 2, 3, samples::at(2));
  dsl::Expr product;
  for (const std::int64_t places : before_k) {
    const dsl::Expr index = dsl::make_binary(BinaryOp::Sub, samples::value_of(k),
                                             dsl::make_int(places, DType::Int64, true, {}), {});
    const dsl::Expr read =
        dsl::make_read(a, {places == 0 ? samples::value_of(k) : index}, samples::at(2));
    product = product ? dsl::make_binary(BinaryOp::Mul, product, read, samples::at(2)) : read;
  }
  const dsl::Tensor c = dsl::make_compute(
      {1}, {i}, dsl::make_reduce(ReduceOp::Sum, product, {k}, samples::at(2)), "C", samples::at(2));
  const schedule::State state = schedule::make_state({c}, samples::at(3));
  schedule::BufferRequest request;
  request.stage = "C";
  request.tensor = "A";
  request.at = state.stage_loops.at("C").back();
  const schedule::State buffered = schedule::buffer_read(state, request, samples::at(4)).state;
  const Ast ast = make_ast(buffered);  // its instances point into the program
  for (const auto& [key, at] : ast.instances) {
    if (at.statement->kind == schedule::StatementKind::Issue) return at.first.at(0).to_C_str();
  }
  return "no issue";
}

TEST(MakeAst, ABoxOfOneElementKeepsTheNameOfItsLoop) {
  EXPECT_EQ(begin_of_box({0}).substr(0, 5), "loop_");
}

TEST(MakeAst, ABoxOfSeveralAccessesBeginsAtTheLowest) {
  EXPECT_EQ(begin_of_box({0, 1}), "1");
  EXPECT_EQ(begin_of_box({2, 0, 1}), "0");
}

}  // namespace
}  // namespace solway::lowering
