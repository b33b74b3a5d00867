#include "lowering/ir/uses_buffer.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::ir {
namespace {

TEST(UsesBuffer, ReadsAndWrites) {
  Scope scope;
  for (const char* name : {"A", "B", "C"}) {
    scope.buffers[name] = make_buffer(name, DType::Float32, {8});
  }
  scope.vars["j"] = kInt64;
  const Stmt s = parse_stmt("for i in [0, 8) { A[i] = (B[j] * 2.0f32) }", scope);
  EXPECT_TRUE(uses(s, scope.buffers.at("A")));
  EXPECT_TRUE(uses(s, scope.buffers.at("B")));
  EXPECT_FALSE(uses(s, scope.buffers.at("C")));
  const Expr e = Load::make(scope.buffers.at("B"), {Var::make("j")});
  EXPECT_TRUE(uses(e, scope.buffers.at("B")));
  EXPECT_FALSE(uses(e, scope.buffers.at("A")));
}

TEST(UsesBuffer, TypesThatAreRead) {
  const Buffer a = make_buffer("A", DType::Float32, {8});
  const Buffer b = make_buffer("B", DType::Int64, {8});
  const Expr index = Load::make(b, {IntImm::make(0)});
  EXPECT_EQ(types_read(Load::make(a, {index})), (std::set<DType>{DType::Float32, DType::Int64}));
  EXPECT_TRUE(types_read(Var::make("j")).empty());
}

TEST(UsesBuffer, InVectors) {
  Scope scope;
  for (const char* name : {"A", "B", "C"}) {
    scope.buffers[name] = make_buffer(name, DType::Float32, {8});
  }
  const Stmt s =
      parse_stmt("vstore(A[0], 4) = (vload(B[0], 4, stride 2) + broadcast(1.0f32, 4))", scope);
  EXPECT_TRUE(uses(s, scope.buffers.at("A")));
  EXPECT_TRUE(uses(s, scope.buffers.at("B")));
  EXPECT_FALSE(uses(s, scope.buffers.at("C")));
}

}  // namespace
}  // namespace solway::ir
