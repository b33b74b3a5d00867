#include "lowering/split_slants.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

ir::Stmt parsed(const std::string& text) {
  ir::Scope scope;
  scope.buffers["C"] = ir::make_buffer("C", DType::Float32, {1024});
  scope.buffers["CC"] = ir::make_buffer("CC", DType::Float32, {1024}, "ldm");
  scope.vars["io"] = ir::kInt64;
  return ir::parse_stmt(text, scope);
}

std::string split(const std::string& text) { return ir::to_string(split_slants(parsed(text))); }

void expect_unchanged(const std::string& text) {
  const ir::Stmt s = parsed(text);
  EXPECT_TRUE(split_slants(s).same_as(s)) << ir::to_string(split_slants(s));
}

TEST(SplitSlants, TellsWholeTilesFromThoseThatAreCut) {
  EXPECT_EQ(split("for jo in [0, (io + 1)) {\n"
                  "  for k in [0, 8) {\n"
                  "    for ii in [0, 4) unrolled {\n"
                  "      for ji in [0, min(((((io * 4) - (jo * 16)) + ii) + 1), 16)) vectorized {\n"
                  "        C[((jo * 16) + ji)] = 0.0f32\n"
                  "      }\n    }\n  }\n}\n"),
            "for jo in [0, (io + 1)) {\n"
            "  if ((((io * 4) + (jo * -16)) + -15) >= 0) {\n"
            "    for k in [0, 8) {\n"
            "      for ii in [0, 4) unrolled {\n"
            "        for ji in [0, 16) vectorized {\n"
            "          C[((jo * 16) + ji)] = 0.0f32\n"
            "        }\n"
            "      }\n"
            "    }\n"
            "  } else {\n"
            "    for k in [0, 8) {\n"
            "      for ii in [0, 4) unrolled {\n"
            "        for ji in [0, min(((((io * 4) - (jo * 16)) + ii) + 1), 16)) vectorized {\n"
            "          C[((jo * 16) + ji)] = 0.0f32\n"
            "        }\n"
            "      }\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(SplitSlants, ABandHasAConditionAtEachEnd) {
  const std::string text = split(
      "for jo in [0, 4) {\n"
      "  for ii in [0, 4) unrolled {\n"
      "    for ji in [max(0, (((io * 4) - (jo * 16)) + ii)), min((((io * 4) - (jo * 16)) + "
      "(ii + 9)), 16)) vectorized {\n"
      "      C[((jo * 16) + ji)] = 0.0f32\n"
      "    }\n  }\n}\n");
  EXPECT_NE(text.find("for ji in [0, 16) vectorized"), std::string::npos) << text;
  EXPECT_NE(text.find(") and ("), std::string::npos) << text;
}

TEST(SplitSlants, LeavesTilesThatOneLoopCutsOff) {
  expect_unchanged(
      "for jo in [0, 4) {\n"
      "  for ji in [0, min(16, (60 - (jo * 16)))) vectorized { C[((jo * 16) + ji)] = 0.0f32 }\n"
      "}\n");
}

TEST(SplitSlants, LeavesWhatALongLoopInsideDecides) {
  expect_unchanged(
      "for k in [0, 8) {\n"
      "  for ji in [0, min(16, ((io - k) + 1))) vectorized { C[ji] = 0.0f32 }\n"
      "}\n");
}

TEST(SplitSlants, LooksIntoParallelLoopsAndBuffers) {
  const std::string text = split(
      "for i in [0, 8) parallel {\n"
      "  allocate AA: float32[16] in ldm {\n"
      "    for ji in [0, min(16, ((io - i) + 1))) vectorized { AA[ji] = 0.0f32 }\n"
      "    for ii in [0, 4) unrolled {\n"
      "      for ji in [0, min(16, (((io - i) + ii) + 1))) vectorized { AA[ji] = 0.0f32 }\n"
      "    }\n  }\n}\n");
  EXPECT_NE(text.find("if ((((i * -1) + io) + -15) >= 0)"), std::string::npos) << text;
  EXPECT_LT(text.find("allocate"), text.find("if (")) << text;
}

TEST(SplitSlants, CopiesNoTransfers) {
  expect_unchanged(
      "for k in [0, 8) {\n"
      "  issue CC_put put CC[0] -> C[0] (16, 1, 1)\n"
      "  for ii in [0, 4) unrolled {\n"
      "    CC[ii] = 0.0f32\n"
      "  }\n"
      "  wait CC_put\n"
      "}\n");
}

}  // namespace
}  // namespace solway::lowering
