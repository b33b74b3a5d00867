#include "codegen/athread/vector_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;

std::string lack(const std::string& statement, const std::string& machine = "sw26010") {
  ir::Scope scope;
  scope.buffers["A"] = ir::make_buffer("A", DType::Float32, {64});
  scope.buffers["D"] = ir::make_buffer("D", DType::Float64, {64});
  scope.buffers["N"] = ir::make_buffer("N", DType::Int32, {64});
  return vector_lack(ir::parse_stmt(statement, scope).node(), machine);
}

TEST(VectorType, IsThatOfSimdH) {
  const ir::Type four{DType::Float32, {4, false}};
  const ir::Type eight{DType::Float64, {8, false}};
  EXPECT_EQ(try_vector_type(four, "sw26010")->name, "floatv4");
  EXPECT_EQ(try_vector_type(eight, "sw26010pro")->name, "doublev8");
  EXPECT_EQ(try_vector_type(eight, "sw26010pro")->suffix(), 'd');
  EXPECT_FALSE(try_vector_type(eight, "sw26010"));
  EXPECT_FALSE(try_vector_type(four, "generic"));
  EXPECT_FALSE(try_vector_type({DType::Int32, {4, false}}, "sw26010"));
}

TEST(VectorLack, NothingOfWhatHasAForm) {
  for (const char* value :
       {"(vload(A[0], 4) + broadcast(2.0f32, 4))",
        "(broadcast(0.0f32, 4) - vload(A[0], 4, stride 2))",
        "max(vload(A[0], 4), sqrt(abs(vload(A[4], 4))))",
        "select((vload(A[0], 4) <= vload(A[4], 4)), vload(A[0], 4), broadcast(exp(A[1]), 4))"}) {
    EXPECT_EQ(lack(std::string("vstore(A[0], 4) = ") + value), "") << value;
  }
  EXPECT_EQ(lack("A[0] = (A[0] + reduce_sum(vload(A[4], 4)))"), "");
  EXPECT_EQ(lack("A[0] = exp(A[1])"), "");
}

TEST(VectorLack, SaysWhatHasNone) {
  EXPECT_THAT(lack("vstore(A[0], 4) = sin(vload(A[0], 4))"), HasSubstr("no vector form of 'sin'"));
  EXPECT_THAT(lack("vstore(A[0], 8) = vload(A[0], 8)"), HasSubstr("no vectors of 8 float32"));
  EXPECT_THAT(lack("vstore(N[0], 4) = vload(N[0], 4)"), HasSubstr("no vectors of 4 int32"));
  EXPECT_THAT(lack("vstore(D[0], 4) = float64(vload(A[0], 4))"), HasSubstr("a cast to float64"));
  EXPECT_THAT(lack("vstore(A[0], 4, active 3) = vload(A[0], 4)"), HasSubstr("a vector in part"));
  EXPECT_THAT(lack("vstore(A[0], 4) = vload(A[0], 4, active 3)"), HasSubstr("a vector in part"));
  EXPECT_THAT(lack("A[0] = reduce_sum(sin(vload(A[4], 4)))"), HasSubstr("'sin'"));
  EXPECT_THAT(lack("vstore(A[0], 4) = vload(A[0], 4)", "generic"), HasSubstr("no vectors"));
}

}  // namespace
}  // namespace solway::codegen
