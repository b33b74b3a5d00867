#include "lowering/vector_body.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

const ir::Scope kScope{{{"A", ir::make_buffer("A", DType::Float32, {64})},
                        {"C", ir::make_buffer("C", DType::Float32, {64})}},
                       {{"i", ir::kInt64}, {"n", ir::kInt64}}};

std::string chunk(const std::string& body, const ir::Expr& active, Remarks& remarks) {
  return to_string(
      vectorize_body(ir::parse_stmt(body, kScope), {"i", ir::IntImm::make(8), 8, active}, remarks));
}

TEST(VectorBody, AsDocumented) {
  Remarks remarks;
  EXPECT_EQ(chunk("C[i] = A[i]", {}, remarks), "vstore(C[8], 8) = vload(A[8], 8)\n");
  EXPECT_TRUE(remarks.empty());
}

TEST(VectorBody, MixesVectorAndLaneByLaneStatements) {
  Remarks remarks;
  EXPECT_EQ(chunk("C[i] = A[(63 - i)] if (i < n) { C[i] = 0.0f32 }", ir::IntImm::make(3), remarks),
            "vstore(C[8], 8, active 3) = vload(A[55], 8, stride -1, active 3)\n"
            "for i in [8, 11) {\n  if (i < n) {\n    C[i] = 0.0f32\n  }\n}\n");
  EXPECT_EQ(remarks.size(), 1U);
}

}  // namespace
}  // namespace solway::lowering
