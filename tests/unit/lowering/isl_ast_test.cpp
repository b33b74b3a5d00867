#include "lowering/isl_ast.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace solway::lowering
