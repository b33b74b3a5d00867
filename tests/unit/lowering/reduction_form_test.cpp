#include "lowering/reduction_form.h"

#include <cmath>

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

std::optional<Reduction> form_of(const std::string& text) {
  ir::Scope scope;
  scope.buffers["A"] = ir::make_buffer("A", DType::Float32, {8});
  scope.buffers["C"] = ir::make_buffer("C", DType::Float32, {8});
  return try_reduction(ir::parse_stmt(text, scope).as<ir::Store>());
}

TEST(TryReduction, FindsTheTermOnEitherSide) {
  for (const char* text : {"C[1] = (C[1] + A[2])", "C[1] = (A[2] + C[1])"}) {
    const auto form = form_of(text);
    ASSERT_TRUE(form) << text;
    EXPECT_EQ(form->op, ReduceOp::Sum);
    EXPECT_EQ(to_string(form->place), "C[1]");
    EXPECT_EQ(to_string(form->term), "A[2]");
  }
  EXPECT_EQ(form_of("C[1] = max(C[1], A[2])")->op, ReduceOp::Max);
}

TEST(TryReduction, TakesNothingElse) {
  for (const char* text : {"C[1] = A[2]", "C[1] = (C[1] - A[2])", "C[1] = (C[2] + A[2])",
                           "C[1] = (C[1] + C[2])", "C[1] = (C[1] + (A[2] * C[1]))"}) {
    EXPECT_FALSE(form_of(text)) << text;
  }
}

std::optional<Reduction> form_of_bytes(const std::string& text) {
  ir::Scope scope;
  scope.buffers["A"] = ir::make_buffer("A", DType::UInt8, {8});
  scope.buffers["C"] = ir::make_buffer("C", DType::UInt8, {8});
  return try_reduction(ir::parse_stmt(text, scope).as<ir::Store>());
}

TEST(TryReduction, ConvertsWhatIsOnlyStored) {
  const auto form = form_of_bytes("C[1] = uint8(max(int32(C[1]), int32(A[2])))");
  ASSERT_TRUE(form);
  EXPECT_EQ(form->op, ReduceOp::Max);
  EXPECT_EQ(to_string(form->place), "int32(C[1])");
  EXPECT_EQ(to_string(form->term), "int32(A[2])");
}

TEST(TryReduction, LeavesWhatLosesAPartOfEachTerm) {
  EXPECT_FALSE(form_of_bytes("C[1] = uint8((float32(C[1]) + 0.5f32))"));
  EXPECT_FALSE(form_of_bytes("C[1] = uint8((int64(C[1]) + int64(A[2])))"));
}

TEST(IdentityOf, LeavesValuesAsTheyAre) {
  EXPECT_EQ(to_string(identity_of(ReduceOp::Sum, DType::Float32)), "0.0f32");
  EXPECT_EQ(to_string(identity_of(ReduceOp::Prod, DType::Int64)), "1");
  EXPECT_EQ(to_string(identity_of(ReduceOp::Min, DType::Int8)), "127i8");
  EXPECT_EQ(to_string(identity_of(ReduceOp::Max, DType::Int32)), "-2147483648i32");
  EXPECT_EQ(to_string(identity_of(ReduceOp::Min, DType::Int64)), "9223372036854775807");
  EXPECT_EQ(identity_of(ReduceOp::Max, DType::Float64).as<ir::FloatImm>().value, -INFINITY);
}

}  // namespace
}  // namespace solway::lowering
