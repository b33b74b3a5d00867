#include "lowering/sums_inside.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

ir::Stmt parsed(const std::string& text) {
  ir::Scope scope;
  scope.buffers["C"] = ir::make_buffer("C", DType::Float32, {64, 64}, "ldm");
  scope.buffers["A"] = ir::make_buffer("A", DType::Float32, {64, 64}, "ldm");
  scope.buffers["R"] = ir::make_buffer("R", DType::Float32, {4, 4}, "register");
  scope.vars["io"] = ir::kInt64;
  return ir::parse_stmt(text, scope);
}

void expect_unchanged(const std::string& text) {
  const ir::Stmt s = parsed(text);
  EXPECT_TRUE(sums_inside(s).same_as(s)) << ir::to_string(sums_inside(s));
}

TEST(SumsInside, LoopsOfTheSumStandInsideThoseOfItsResults) {
  const ir::Stmt s = parsed(
      "for ko in [0, 8) {\n"
      "  for ki in [0, 2) unrolled {\n"
      "    for ii in [0, 4) unrolled {\n"
      "      for ji in [0, min(16, (io + ii))) vectorized {\n"
      "        C[ii, ji] = (C[ii, ji] + A[((ko * 2) + ki), ji])\n"
      "      }\n    }\n  }\n}\n");
  EXPECT_EQ(ir::to_string(sums_inside(s)),
            "for ii in [0, 4) {\n"
            "  for ji in [0, min(16, (io + ii))) vectorized {\n"
            "    for ko in [0, 8) {\n"
            "      for ki in [0, 2) unrolled {\n"
            "        C[ii, ji] = (C[ii, ji] + A[((ko * 2) + ki), ji])\n"
            "      }\n    }\n  }\n}\n");
}

TEST(SumsInside, BoundsOfASumMayDependOnItsResult) {
  const ir::Stmt s = parsed(
      "for ii in [0, 4) {\n"
      "  for k in [0, (ii + 1)) {\n"
      "    for ji in [0, 8) { C[ii, ji] = (C[ii, ji] + A[k, ji]) }\n"
      "  }\n}\n");
  EXPECT_EQ(ir::to_string(sums_inside(s)),
            "for ii in [0, 4) {\n"
            "  for ji in [0, 8) {\n"
            "    for k in [0, (ii + 1)) {\n"
            "      C[ii, ji] = (C[ii, ji] + A[k, ji])\n"
            "    }\n  }\n}\n");
}

TEST(SumsInside, WhatIsNoSumStays) {
  expect_unchanged("for k in [0, 8) { for ji in [0, 8) { C[0, ji] = A[k, ji] } }");
  // Reads what other iterations write.
  expect_unchanged("for k in [0, 8) { for ji in [0, 8) { C[0, ji] = (C[0, ji] + C[k, ji]) } }");
  expect_unchanged("for k in [0, 8) { for ji in [0, 8) { C[k, ji] = (C[k, ji] + A[k, ji]) } }");
}

TEST(SumsInside, ResultsWhoseBoundsTheSumChangesStay) {
  expect_unchanged(
      "for k in [0, 8) { for ji in [0, (k + 1)) { C[0, ji] = (C[0, ji] + A[k, ji]) } }");
}

TEST(SumsInside, ASumInVectorsAndSumsInRegistersStay) {
  expect_unchanged(
      "for k in [0, 8) vectorized { for ji in [0, 8) { C[0, ji] = (C[0, ji] + "
      "A[ji, k]) } }");
  expect_unchanged(
      "for k in [0, 8) { for ji in [0, 4) unrolled { R[0, ji] = (R[0, ji] + "
      "A[k, ji]) } }");
  expect_unchanged(
      "for k in [0, 8) { for ji in [0, 8) parallel { C[0, ji] = (C[0, ji] + "
      "A[k, ji]) } }");
}

TEST(SumsInside, SeveralStatementsStay) {
  expect_unchanged(
      "for k in [0, 8) { for ji in [0, 8) {\n"
      "  C[0, ji] = (C[0, ji] + A[k, ji])\n"
      "  C[1, ji] = (C[1, ji] + A[k, ji])\n} }");
}

}  // namespace
}  // namespace solway::lowering
