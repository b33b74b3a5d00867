#include "lowering/ir/substitute.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::ir {
namespace {

const Scope kScope{{{"A", make_buffer("A", DType::Int64, {4})}}, {{"i", kInt64}, {"j", kInt64}}};

TEST(Substitute, ReplacesVariables) {
  const Stmt s = parse_stmt("for k in [i, j) { A[k] = (A[i] + k) }", kScope);
  EXPECT_EQ(to_string(substitute(s, {{"i", IntImm::make(2)}})),
            "for k in [2, j) {\n  A[k] = (A[2] + k)\n}\n");
  EXPECT_TRUE(substitute(s, {{"x", IntImm::make(2)}}).same_as(s));
}

TEST(Substitute, FindsVariablesAndLoads) {
  const Expr e = parse_expr("(A[i] + 1)", kScope);
  EXPECT_TRUE(mentions(e, "i"));
  EXPECT_FALSE(mentions(e, "j"));
  EXPECT_TRUE(has_load(e));
  EXPECT_FALSE(has_load(parse_expr("(i + j)", kScope)));
}

}  // namespace
}  // namespace solway::ir
