#include "codegen/llvm/vector_lack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;

std::string lack_of(const std::string& statement) {
  return ve_vector_lack(ir::parse_kernel("kernel k(in A: float64[512], out C: float64[512]) {\n  " +
                                         statement + "\n}\n")
                            .body);
}

TEST(VectorLack, TripleOfTheVectorEngine) {
  EXPECT_TRUE(is_vector_engine("ve-linux-gnu"));
  EXPECT_FALSE(is_vector_engine("aarch64-linux-gnu"));
}

TEST(VectorLack, ArithmeticOfWholeVectorsIsThere) {
  EXPECT_EQ(lack_of("vstore(C[0], 256) = ((vload(A[0], 256) * broadcast(2.0f64, 256)) + "
                    "vload(C[0], 256))"),
            "");
}

TEST(VectorLack, PartsStridesFunctionsAndCombinedLanesAreThere) {
  for (const char* statement : {
           "vstore(C[0], 256, active 3) = vload(A[0], 256, active 3)",
           "vstore(C[0], 256, stride 2) = vload(A[0], 256, stride -3)",
           "vstore(C[0], 256) = exp(vload(A[0], 256))",
           "vstore(C[0], 256) = max(vload(A[0], 256), vload(A[256], 256))",
           "vstore(C[0], 256) = pow(vload(A[0], 256), broadcast(2.0f64, 256))",
           "vstore(C[0], 256) = float64(int32(vload(A[0], 256)))",
           "vstore(C[0], 256) = float64(ramp(0, 1, 256))",
           "vstore(C[0], 256) = float64(float32(int64(vload(A[0], 256))))",
           "vstore(C[0], 256) = fmod(vload(A[0], 256), vload(A[256], 256))",
           "vstore(C[0], 256) = (vload(A[0], 256) // vload(A[256], 256))",
           "vstore(C[0], 256) = float64(int8(vload(A[0], 256)))",
           "C[0] = (C[0] + reduce_sum(vload(A[0], 256)))",
           "C[0] = (C[0] * reduce_prod(vload(A[0], 256)))",
       }) {
    EXPECT_EQ(lack_of(statement), "") << statement;
  }
}

TEST(VectorLack, BytesAreStoredSideBySide) {
  const auto lack = [](const std::string& type, const std::string& stride) {
    const std::string array = type + "[512]";
    return ve_vector_lack(ir::parse_kernel("kernel k(in A: " + array + ", out C: " + array +
                                           ") {\n  vstore(C[0], 256" + stride +
                                           ") = vload(A[0], 256, stride 2)\n}\n")
                              .body);
  };
  for (const char* type : {"int8", "uint8", "int16", "bool", "float16", "bfloat16"}) {
    EXPECT_EQ(lack(type, ""), "") << type;
    EXPECT_THAT(lack(type, ", stride 2"),
                HasSubstr("stores of " + std::string(type) + " that do not lie side by side"));
  }
  EXPECT_EQ(lack("int32", ", stride 2"), "");
}

TEST(VectorLack, TheRestIsNamed) {
  EXPECT_THAT(lack_of("vstore(C[0], 256) = sin(vload(A[0], 256))"), HasSubstr("'sin' of float64"));
  EXPECT_THAT(lack_of("vstore(C[0], 256) = hypot(vload(A[0], 256), vload(A[256], 256))"),
              HasSubstr("'hypot' of float64"));
  EXPECT_THAT(lack_of("vstore(C[0], 256) = pow(vload(A[0], 256), broadcast(2.5f64, 256))"),
              HasSubstr("'pow' of float64"));
  EXPECT_THAT(lack_of("vstore(C[0], 8) = vload(A[0], 8)"), HasSubstr("8 lanes"));
}

}  // namespace
}  // namespace solway::codegen
