#include "lowering/widen_panels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

constexpr std::int64_t kRoom = 1024;

ir::Scope scope() {
  return {{{"A", ir::make_buffer("A", DType::Float16, {64})},
           {"B", ir::make_buffer("B", DType::BFloat16, {64})},
           {"C", ir::make_buffer("C", DType::Float32, {64})},
           {"H", ir::make_buffer("H", DType::Float16, {64})}},
          {}};
}

std::string widened(const std::string& text, std::int64_t room = kRoom) {
  return to_string(widen_panels(ir::parse_stmt(text, scope()), room));
}

void expect_kept(const std::string& text, std::int64_t room = kRoom) {
  const ir::Stmt s = ir::parse_stmt(text, scope());
  EXPECT_TRUE(widen_panels(s, room).same_as(s)) << text;
}

std::string panel(const std::string& type, const std::string& body,
                  const std::string& where = "panel") {
  return "allocate P: " + type + "[8] in " + where + " { " + body + " }";
}

const std::string kFill = "for i in [0, 8) { P[i] = A[i] } ";

TEST(WidenPanels, AsDocumented) {
  EXPECT_EQ(widened(panel("float16", kFill + "C[0] = float32(P[3])")),
            "allocate P: float32[8] in panel {\n"
            "  for i in [0, 8) {\n    P[i] = float32(A[i])\n  }\n"
            "  C[0] = P[3]\n}\n");
}

TEST(WidenPanels, BothTypesAndBuffersInsideOfOthers) {
  EXPECT_EQ(widened(panel("float16", kFill + "allocate Q: bfloat16[1] in register { Q[0] = B[5] "
                                             "C[0] = (float32(Q[0]) * float32(P[3])) }")),
            "allocate P: float32[8] in panel {\n"
            "  for i in [0, 8) {\n    P[i] = float32(A[i])\n  }\n"
            "  allocate Q: float32[1] in register {\n    Q[0] = float32(B[5])\n"
            "    C[0] = (Q[0] * P[3])\n  }\n}\n");
}

TEST(WidenPanels, WhatIsReadInOtherWaysStays) {
  expect_kept(panel("float16", kFill + "H[0] = P[3]"));
  expect_kept(panel("float16", kFill + "C[0] = float32(float64(P[3]))"));
  expect_kept(panel("float16", kFill + "C[0] = float32(P[3]) H[1] = P[0]"));
  expect_kept(panel("float16", "P[0] = A[0] P[1] = P[0] C[0] = float32(P[1])"));
}

TEST(WidenPanels, OtherBuffersStay) {
  expect_kept(panel("float32", "P[0] = C[0] C[1] = P[0]"));
  expect_kept(panel("float16", kFill + "C[0] = float32(P[3])", "main"));
  const std::string one = panel("float16", kFill + "C[0] = float32(P[3])");
  expect_kept(one, 31);
  EXPECT_NE(widened(one, 32), widened(one, 31));
}

}  // namespace
}  // namespace solway::lowering
