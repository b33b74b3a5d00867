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

TEST(VectorLack, TheRestIsNamed) {
  EXPECT_THAT(lack_of("vstore(C[0], 256, active 3) = vload(A[0], 256, active 3)"),
              HasSubstr("a part of a vector"));
  EXPECT_THAT(lack_of("vstore(C[0], 256) = vload(A[0], 256, stride 2)"),
              HasSubstr("elements with a stride"));
  EXPECT_THAT(lack_of("vstore(C[0], 256) = exp(vload(A[0], 256))"), HasSubstr("functions"));
  EXPECT_THAT(lack_of("vstore(C[0], 256) = max(vload(A[0], 256), vload(A[256], 256))"),
              HasSubstr("'max'"));
  EXPECT_THAT(lack_of("C[0] = (C[0] + reduce_sum(vload(A[0], 256)))"), HasSubstr("combined lanes"));
}

}  // namespace
}  // namespace solway::codegen
