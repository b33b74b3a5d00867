#include "dsl/composed_functions.h"

#include <gtest/gtest.h>

#include "dsl/tensor.h"
#include "support/error.h"

namespace solway::dsl {
namespace {

Expr element(DType type) {
  return make_read(make_placeholder({4}, type, "A", {}), {make_int(0, DType::Int64, false, {})},
                   {});
}

DType type_of(const std::string& name, DType type) {
  return make_composed(composed_function(name), element(type), {})->type;
}

std::string text_of(const std::string& name, DType type) {
  return to_string(make_composed(composed_function(name), element(type), {}));
}

TEST(ComposedFunctions, HaveNumPysTypes) {
  for (const std::string name : {"fabs", "rint"}) {
    EXPECT_EQ(type_of(name, DType::Bool), DType::Float16);
    EXPECT_EQ(type_of(name, DType::UInt8), DType::Float16);
    EXPECT_EQ(type_of(name, DType::Int16), DType::Float32);
    EXPECT_EQ(type_of(name, DType::Int32), DType::Float64);
    EXPECT_EQ(type_of(name, DType::Float32), DType::Float32);
  }
  for (const std::string name : {"square", "reciprocal"}) {
    EXPECT_EQ(type_of(name, DType::Bool), DType::Int8);
    EXPECT_EQ(type_of(name, DType::Int64), DType::Int64);
    EXPECT_EQ(type_of(name, DType::Float16), DType::Float16);
  }
}

TEST(ComposedFunctions, AreMadeOfOperations) {
  EXPECT_EQ(text_of("fabs", DType::Float32), "abs(A[0])");
  EXPECT_EQ(text_of("rint", DType::Int32), "round(cast(A[0], float64))");
  EXPECT_EQ(text_of("square", DType::Int32), "A[0] * A[0]");
  EXPECT_EQ(text_of("reciprocal", DType::Float32), "1.0 / A[0]");
  EXPECT_EQ(text_of("reciprocal", DType::UInt8), "select(A[0] == 0, 0, select(A[0] == 1, 1, 0))");
  EXPECT_THROW(composed_function("cube"), InternalError);
}

}  // namespace
}  // namespace solway::dsl
