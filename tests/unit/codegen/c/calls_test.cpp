#include "codegen/c/calls.h"

#include <gtest/gtest.h>

#include "lowering/ir/fold.h"

namespace solway::codegen::c99 {
namespace {

ir::Stmt call_of(const std::string& text) {
  const ir::Buffer x = ir::make_buffer("A", DType::Float32, {8});
  const ir::Buffer y = ir::make_buffer("C", DType::Float32, {8});
  return ir::Call::make("twice", {{"Y", y, {ir::index(4)}, {1}}, {"X", x, {ir::index(4)}, {2}}}, {},
                        text);
}

std::string element(const ir::CallOperand& operand) { return operand.buffer->name + "[4]"; }

TEST(Calls, AreFunctionsAroundTheText) {
  CallTable table("int64_t");
  const ir::Stmt call = call_of("Y[0] = X[0] * 2;");
  EXPECT_EQ(table.call(call.as<ir::Call>(), element), "sw_twice(&C[4], 1, &A[4], 2);");
  EXPECT_EQ(table.definitions(),
            "static void sw_twice(float* Y, int64_t Y_stride0, const float* X, int64_t X_stride0) "
            "{\n"
            "  (void)Y_stride0;\n"
            "  (void)X_stride0;\n"
            "  Y[0] = X[0] * 2;\n"
            "}\n\n");
}

TEST(Calls, OfOneTextShareAFunction) {
  CallTable table("int64_t");
  const ir::Stmt one = call_of("Y[0] = X[0] * 2;"), other = call_of("Y[0] = X[0] + X[0];");
  table.call(one.as<ir::Call>(), element);
  EXPECT_EQ(table.call(one.as<ir::Call>(), element), "sw_twice(&C[4], 1, &A[4], 2);");
  EXPECT_EQ(table.call(other.as<ir::Call>(), element), "sw_twice_1(&C[4], 1, &A[4], 2);");
}

}  // namespace
}  // namespace solway::codegen::c99
