#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/codegen/llvm/detail/vector_engine/compile_engine.h"

namespace solway::codegen {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// A loop that adds to `rows` vectors of registers, and stores them.
std::string sums(const std::string& add, int rows, const std::string& type = "float32",
                 const std::string& out = "C") {
  const std::string zero = type == "float32" ? "0.0f32" : "0.0f64";
  std::string body = "allocate R: " + type + "[" + std::to_string(256 * rows) + "] in register {\n";
  const auto place = [](int row) { return std::to_string(256 * row); };
  for (int row = 0; row < rows; ++row) {
    body += "vstore(R[" + place(row) + "], 256) = broadcast(" + zero + ", 256)\n";
  }
  body += "for r in [0, 9) {\n";
  for (int row = 0; row < rows; ++row) {
    std::string stmt = "vstore(R[@], 256) = " + add + "\n";
    for (std::size_t at = stmt.find('@'); at != std::string::npos; at = stmt.find('@')) {
      stmt.replace(at, 1, place(row));
    }
    for (std::size_t at = stmt.find('#'); at != std::string::npos; at = stmt.find('#')) {
      stmt.replace(at, 1, std::to_string(row));
    }
    body += stmt;
  }
  body += "}\n";
  for (int row = 0; row < rows; ++row) {
    body += "vstore(" + out + "[" + std::to_string(150 * row) + "], 256) = vload(R[" + place(row) +
            "], 256)\n";
  }
  return body + "}";
}

TEST(PackPairs, RowsThatShareAVectorAreHalves) {
  const std::string ir = engine_ir(
      sums("(vload(R[@], 256) + (broadcast(A[(r + #)], 256) * vload(B[(r * 64)], 256)))", 4));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vshf.vvvsl("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.pvfmad.vvsvl("));
  EXPECT_THAT(ir, Not(HasSubstr("@llvm.ve.vl.vfmads")));
  // One half is taken out where it is stored.
  EXPECT_THAT(ir, ContainsRegex("@llvm.ve.vl.vsll.vvsl\\([^)]*, i64 32, i32 256\\)"));
}

TEST(PackPairs, OneOfAnOddNumberStaysAlone) {
  const std::string ir = engine_ir(
      sums("(vload(R[@], 256) + (broadcast(A[(r + #)], 256) * vload(B[(r * 64)], 256)))", 5));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.pvfmad.vvsvl("));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfmads.vvsvl("));
}

TEST(PackPairs, SumsOfWhatIsLoadedForThemAloneStayAlone) {
  const std::string ir = engine_ir(sums("(vload(R[@], 256) + vload(B[((r * 16) + @)], 256))", 2));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfadds.vvvl("));
  EXPECT_THAT(ir, Not(HasSubstr("pvf")));
}

TEST(PackPairs, OtherTypesStayAlone) {
  const std::string ir =
      engine_ir(sums("(vload(R[@], 256) + (broadcast(D[(r + #)], 256) * vload(D[(r * 64)], 256)))",
                     4, "float64", "E"));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfmadd.vvsvl("));
  EXPECT_THAT(ir, Not(HasSubstr("pvf")));
}

TEST(PackPairs, WhatTheLoopUsesOtherwiseStaysAlone) {
  const std::string ir = engine_ir(sums(
      "select((vload(R[@], 256) < broadcast(5.0f32, 256)), (vload(R[@], 256) + (broadcast(A[(r "
      "+ #)], 256) * vload(B[(r * 64)], 256))), vload(R[@], 256))",
      4));
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfmads.vvsvl("));
  EXPECT_THAT(ir, Not(HasSubstr("pvf")));
}

TEST(PackPairs, SumsOfOneLoopAreNotReadInIt) {
  // The first sum is stored in each turn.
  const std::string all =
      sums("(vload(R[@], 256) + (broadcast(A[(r + #)], 256) * vload(B[(r * 64)], 256)))", 6);
  std::string body = all;
  const std::string end = "}\nvstore(C[0]";
  body.insert(body.find(end), "vstore(C[(r * 64)], 256) = vload(R[0], 256)\n");
  const std::string ir = engine_ir(body);
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.vfmads.vvsvl("));  // of the first one
  EXPECT_THAT(ir, HasSubstr("@llvm.ve.vl.pvfmad.vvsvl("));
}

TEST(PackPairs, LanesThatNobodyUsesAreNotKept) {
  const std::string sum =
      "select((ramp(0, 1, 256) < broadcast(9, 256)), (vload(R[@], 256) + (broadcast(A[(r + #)], "
      "256) "
      "* vload(B[(r * 64)], 256, active 9))), vload(R[@], 256))";
  std::string body = sums(sum, 4);
  for (int row = 0; row < 4; ++row) {
    const std::string store = "vstore(C[" + std::to_string(150 * row) + "], 256)";
    body.replace(body.find(store), store.size(), store.substr(0, store.size() - 1) + ", active 9)");
  }
  const std::string ir = engine_ir(body);
  EXPECT_THAT(ir, ContainsRegex("@llvm.ve.vl.pvfmad.vvsvl\\([^)]*, i32 9\\)"));
  EXPECT_THAT(ir, Not(HasSubstr("@llvm.ve.vl.vfmads")));
}

}  // namespace
}  // namespace solway::codegen
