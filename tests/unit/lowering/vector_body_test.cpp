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
  return to_string(vectorize_body(ir::parse_stmt(body, kScope),
                                  {"i", ir::IntImm::make(8), {8, false}, active}, remarks));
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

TEST(VectorBody, GroupsOfADotAreAsManyAsLanes) {
  const ir::Scope bytes{{{"A", ir::make_buffer("A", DType::UInt8, {64})},
                         {"B", ir::make_buffer("B", DType::Int8, {256})},
                         {"C", ir::make_buffer("C", DType::Int32, {64})}},
                        {{"i", ir::kInt64}, {"n", ir::kInt64}}};
  const auto of = [&](const std::string& body, const ir::Expr& active, Remarks& remarks) {
    return to_string(vectorize_body(ir::parse_stmt(body, bytes),
                                    {"i", ir::IntImm::make(8), {8, false}, active}, remarks));
  };
  Remarks remarks;
  EXPECT_EQ(of("C[i] = dot(C[i], vload(A[n], 4), vload(B[(i * 4)], 4))", {}, remarks),
            "vstore(C[8], 8) = dot(vload(C[8], 8), broadcast(vload(A[n], 4), 32), "
            "vload(B[32], 32))\n");
  EXPECT_EQ(of("C[i] = dot(C[i], uint8((vload(B[(i * 4)], 4) ^ broadcast(-128i8, 4))), "
               "vload(B[n], 4))",
               ir::IntImm::make(3), remarks),
            "vstore(C[8], 8, active 3) = dot(vload(C[8], 8, active 3), "
            "uint8((vload(B[32], 32, active 12) ^ broadcast(broadcast(-128i8, 4), 32))), "
            "broadcast(vload(B[n], 4), 32))\n");
  const std::string in_part =
      "C[i] = dot(C[i], vload(A[n], 4, active 3), vload(B[(i * 4)], 4, active 3))";
  EXPECT_EQ(of(in_part, {}, remarks),
            "vstore(C[8], 8) = dot(vload(C[8], 8), broadcast(vload(A[n], 4, active 3), 32), "
            "vload(B[32], 32, active 31))\n");
  EXPECT_EQ(of(in_part, ir::IntImm::make(2), remarks),
            "vstore(C[8], 8, active 2) = dot(vload(C[8], 8, active 2), "
            "broadcast(vload(A[n], 4, active 3), 32), vload(B[32], 32, active 7))\n");
  EXPECT_TRUE(remarks.empty());
  EXPECT_EQ(of("C[i] = dot(C[i], vload(A[n], 4), vload(B[i], 4))", {}, remarks),
            "for i in [8, 16) {\n  C[i] = dot(C[i], vload(A[n], 4), vload(B[i], 4))\n}\n");
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].why, "its groups of bytes do not lie side by side");
}

}  // namespace
}  // namespace solway::lowering
