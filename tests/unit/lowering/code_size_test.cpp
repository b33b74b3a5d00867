#include "lowering/code_size.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::lowering {
namespace {

std::int64_t count(const std::string& text) {
  ir::Scope scope;
  scope.buffers["C"] = ir::make_buffer("C", DType::Float32, {1024});
  scope.vars["i"] = ir::kInt64;
  return instruction_count(ir::parse_stmt(text, scope));
}

TEST(CodeSize, CountsOperationsLoadsAndStores) {
  EXPECT_EQ(count("C[i] = 0.0f32\n"), 1);
  EXPECT_EQ(count("C[(i + 1)] = (C[i] * 2.0f32)\n"), 4);
}

TEST(CodeSize, CountsALoopOnceAndItsCopiesEach) {
  EXPECT_EQ(count("for j in [0, 100) {\n  C[j] = 0.0f32\n}\n"), 5);
  EXPECT_EQ(count("for j in [0, 100) unrolled {\n  C[j] = 0.0f32\n}\n"), 100);
  EXPECT_EQ(count("for j in [0, 100) vectorized {\n  C[j] = 0.0f32\n}\n"), 8);
}

}  // namespace
}  // namespace solway::lowering
