#include "lowering/vector_accumulator.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

AccumulatedLoop loop_over(const std::string& body, const ir::Expr& num_vectors,
                          const ir::Expr& rest) {
  ir::Scope scope;
  for (const char* name : {"A", "C", "E"}) {
    scope.buffers[name] = ir::make_buffer(name, DType::Float32, {800});
  }
  for (const char* name : {"i", "j", "m", "n"}) scope.vars[name] = ir::kInt64;
  AccumulatedLoop out;
  out.var = "i";
  out.begin = ir::IntImm::make(0);
  out.num_vectors = num_vectors;
  out.lanes = out.rest_lanes = {8, false};
  out.rest = rest;
  out.body = ir::parse_stmt(body, scope);
  out.accumulator = "acc";
  return out;
}

std::optional<ir::Stmt> accumulated(const std::string& body, const ir::Expr& num_vectors,
                                    const ir::Expr& rest = {}, const VectorForms* forms = nullptr) {
  AccumulatedLoop loop = loop_over(body, num_vectors, rest);
  loop.forms = forms;
  return try_accumulate(loop);
}

const VectorForms kOneAccumulator = [] {
  VectorForms out;
  out.accumulators = 1;
  return out;
}();

std::string text(const std::string& body, const ir::Expr& num_vectors, const ir::Expr& rest = {},
                 const VectorForms* forms = nullptr) {
  const auto s = accumulated(body, num_vectors, rest, forms);
  return s ? ir::to_string(*s) : "none";
}

TEST(TryAccumulate, CombinesLanesOnce) {
  EXPECT_EQ(text("C[j] = (C[j] + A[i])", ir::IntImm::make(7)),
            "allocate acc: float32[32] in register {\n"
            "  vstore(acc[0], 8) = broadcast(0.0f32, 8)\n"
            "  vstore(acc[8], 8) = broadcast(0.0f32, 8)\n"
            "  vstore(acc[16], 8) = broadcast(0.0f32, 8)\n"
            "  vstore(acc[24], 8) = broadcast(0.0f32, 8)\n"
            "  for i_vec in [0, 1) {\n"
            "    vstore(acc[0], 8) = (vload(acc[0], 8) + vload(A[(i_vec * 32)], 8))\n"
            "    vstore(acc[8], 8) = (vload(acc[8], 8) + vload(A[((i_vec * 32) + 8)], 8))\n"
            "    vstore(acc[16], 8) = (vload(acc[16], 8) + vload(A[((i_vec * 32) + 16)], 8))\n"
            "    vstore(acc[24], 8) = (vload(acc[24], 8) + vload(A[((i_vec * 32) + 24)], 8))\n"
            "  }\n"
            "  vstore(acc[0], 8) = (vload(acc[0], 8) + vload(A[32], 8))\n"
            "  vstore(acc[8], 8) = (vload(acc[8], 8) + vload(A[40], 8))\n"
            "  vstore(acc[16], 8) = (vload(acc[16], 8) + vload(A[48], 8))\n"
            "  C[j] = (C[j] + reduce_sum(((vload(acc[0], 8) + vload(acc[8], 8)) + "
            "(vload(acc[16], 8) + vload(acc[24], 8)))))\n"
            "}\n");
}

TEST(TryAccumulate, WhenTheirNumberIsNotKnownThoseBehindTheLastTurnShareOneVector) {
  EXPECT_EQ(text("C[j] = (C[j] + A[i])", ir::Var::make("n"), ir::Var::make("m")),
            "allocate acc: float32[32] in register {\n"
            "  vstore(acc[0], 8) = broadcast(0.0f32, 8)\n"
            "  vstore(acc[8], 8) = broadcast(0.0f32, 8)\n"
            "  vstore(acc[16], 8) = broadcast(0.0f32, 8)\n"
            "  vstore(acc[24], 8) = broadcast(0.0f32, 8)\n"
            "  for i_vec in [0, (n // 4)) {\n"
            "    vstore(acc[0], 8) = (vload(acc[0], 8) + vload(A[(i_vec * 32)], 8))\n"
            "    vstore(acc[8], 8) = (vload(acc[8], 8) + vload(A[((i_vec * 32) + 8)], 8))\n"
            "    vstore(acc[16], 8) = (vload(acc[16], 8) + vload(A[((i_vec * 32) + 16)], 8))\n"
            "    vstore(acc[24], 8) = (vload(acc[24], 8) + vload(A[((i_vec * 32) + 24)], 8))\n"
            "  }\n"
            "  for i_vec in [((n // 4) * 4), n) {\n"
            "    vstore(acc[0], 8) = (vload(acc[0], 8) + vload(A[(i_vec * 8)], 8))\n"
            "  }\n"
            "  if (m > 0) {\n"
            "    vstore(acc[0], 8) = select((ramp(0, 1, 8) < broadcast(m, 8)), "
            "(vload(acc[0], 8) + vload(A[(n * 8)], 8, active m)), vload(acc[0], 8))\n"
            "  }\n"
            "  C[j] = (C[j] + reduce_sum(((vload(acc[0], 8) + vload(acc[8], 8)) + "
            "(vload(acc[16], 8) + vload(acc[24], 8)))))\n"
            "}\n");
}

/// Which are few, of registers whose length is not known.
TEST(TryAccumulate, ScalableLanesAccumulateInOneVector) {
  AccumulatedLoop loop = loop_over("C[j] = max(C[j], A[i])", ir::Var::make("n"), {});
  loop.lanes = loop.rest_lanes = {4, true};
  const auto out = try_accumulate(loop);
  ASSERT_TRUE(out.has_value());
  EXPECT_EQ(ir::to_string(*out),
            "allocate acc: float32[vscale*4] in register {\n"
            "  vstore(acc[0], vscale*4) = broadcast(-inf_f32, vscale*4)\n"
            "  for i_vec in [0, n) {\n"
            "    vstore(acc[0], vscale*4) = max(vload(acc[0], vscale*4), "
            "vload(A[(i_vec * (vscale() * 4))], vscale*4))\n"
            "  }\n"
            "  C[j] = max(C[j], reduce_max(vload(acc[0], vscale*4)))\n"
            "}\n");
}

TEST(TryAccumulate, TheRestIsAPartialVector) {
  EXPECT_EQ(text("C[j] = max(C[j], A[i])", ir::IntImm::make(1), ir::IntImm::make(3)),
            "allocate acc: float32[8] in register {\n"
            "  vstore(acc[0], 8) = broadcast(-inf_f32, 8)\n"
            "  for i_vec in [0, 1) {\n"
            "    vstore(acc[0], 8) = max(vload(acc[0], 8), vload(A[(i_vec * 8)], 8))\n"
            "  }\n"
            "  vstore(acc[0], 8) = select((ramp(0, 1, 8) < broadcast(3, 8)), "
            "max(vload(acc[0], 8), vload(A[8], 8, active 3)), vload(acc[0], 8))\n"
            "  C[j] = max(C[j], reduce_max(vload(acc[0], 8)))\n"
            "}\n");
  EXPECT_EQ(text("C[j] = max(C[j], A[i])", ir::IntImm::make(0), ir::IntImm::make(3)), "none");
}

TEST(TryAccumulate, WhatElseTheLoopComputesStaysBesideTheSum) {
  EXPECT_EQ(
      text("E[i] = (A[i] * 2.0f32) C[j] = (C[j] + E[i])", ir::IntImm::make(5), ir::IntImm::make(3)),
      "allocate acc: float32[32] in register {\n"
      "  vstore(acc[0], 8) = broadcast(0.0f32, 8)\n"
      "  vstore(acc[8], 8) = broadcast(0.0f32, 8)\n"
      "  vstore(acc[16], 8) = broadcast(0.0f32, 8)\n"
      "  vstore(acc[24], 8) = broadcast(0.0f32, 8)\n"
      "  for i_vec in [0, 1) {\n"
      "    vstore(E[(i_vec * 32)], 8) = (vload(A[(i_vec * 32)], 8) * broadcast(2.0f32, 8))\n"
      "    vstore(E[((i_vec * 32) + 8)], 8) = (vload(A[((i_vec * 32) + 8)], 8) * "
      "broadcast(2.0f32, 8))\n"
      "    vstore(E[((i_vec * 32) + 16)], 8) = (vload(A[((i_vec * 32) + 16)], 8) * "
      "broadcast(2.0f32, 8))\n"
      "    vstore(E[((i_vec * 32) + 24)], 8) = (vload(A[((i_vec * 32) + 24)], 8) * "
      "broadcast(2.0f32, 8))\n"
      "    vstore(acc[0], 8) = (vload(acc[0], 8) + vload(E[(i_vec * 32)], 8))\n"
      "    vstore(acc[8], 8) = (vload(acc[8], 8) + vload(E[((i_vec * 32) + 8)], 8))\n"
      "    vstore(acc[16], 8) = (vload(acc[16], 8) + vload(E[((i_vec * 32) + 16)], 8))\n"
      "    vstore(acc[24], 8) = (vload(acc[24], 8) + vload(E[((i_vec * 32) + 24)], 8))\n"
      "  }\n"
      "  vstore(E[32], 8) = (vload(A[32], 8) * broadcast(2.0f32, 8))\n"
      "  vstore(acc[0], 8) = (vload(acc[0], 8) + vload(E[32], 8))\n"
      "  vstore(E[40], 8, active 3) = (vload(A[40], 8, active 3) * broadcast(2.0f32, 8))\n"
      "  vstore(acc[8], 8) = select((ramp(0, 1, 8) < broadcast(3, 8)), (vload(acc[8], 8) "
      "+ vload(E[40], 8, active 3)), vload(acc[8], 8))\n"
      "  C[j] = (C[j] + reduce_sum(((vload(acc[0], 8) + vload(acc[8], 8)) + "
      "(vload(acc[16], 8) + vload(acc[24], 8)))))\n"
      "}\n");
}

TEST(TryAccumulate, ExtremesOfFloatsTakeTwoVectorsInATurn) {
  AccumulatedLoop loop = loop_over("C[j] = max(C[j], A[i])", ir::IntImm::make(5), {});
  VectorForms forms;
  forms.accumulators = 2;
  forms.vectors_of_extreme = 2;
  loop.forms = &forms;
  EXPECT_EQ(ir::to_string(*try_accumulate(loop)),
            "allocate acc: float32[16] in register {\n"
            "  vstore(acc[0], 8) = broadcast(-inf_f32, 8)\n"
            "  vstore(acc[8], 8) = broadcast(-inf_f32, 8)\n"
            "  for i_vec in [0, 1) {\n"
            "    vstore(acc[0], 8) = max(vload(acc[0], 8), vload(A[(i_vec * 32)], 8))\n"
            "    vstore(acc[8], 8) = max(vload(acc[8], 8), vload(A[((i_vec * 32) + 8)], 8))\n"
            "    vstore(acc[0], 8) = max(vload(acc[0], 8), vload(A[((i_vec * 32) + 16)], 8))\n"
            "    vstore(acc[8], 8) = max(vload(acc[8], 8), vload(A[((i_vec * 32) + 24)], 8))\n"
            "  }\n"
            "  vstore(acc[0], 8) = max(vload(acc[0], 8), vload(A[32], 8))\n"
            "  C[j] = max(C[j], reduce_max(max(vload(acc[0], 8), vload(acc[8], 8))))\n"
            "}\n");
}

TEST(TryAccumulate, SeveralSums) {
  EXPECT_EQ(
      text("C[j] = max(C[j], A[i]) E[j] = (E[j] + A[i])", ir::Var::make("n"), {}, &kOneAccumulator),
      "allocate acc: float32[8] in register {\n"
      "  allocate acc_2: float32[8] in register {\n"
      "    vstore(acc[0], 8) = broadcast(-inf_f32, 8)\n"
      "    vstore(acc_2[0], 8) = broadcast(0.0f32, 8)\n"
      "    for i_vec in [0, n) {\n"
      "      vstore(acc[0], 8) = max(vload(acc[0], 8), vload(A[(i_vec * 8)], 8))\n"
      "      vstore(acc_2[0], 8) = (vload(acc_2[0], 8) + vload(A[(i_vec * 8)], 8))\n"
      "    }\n"
      "    C[j] = max(C[j], reduce_max(vload(acc[0], 8)))\n"
      "    E[j] = (E[j] + reduce_sum(vload(acc_2[0], 8)))\n"
      "  }\n"
      "}\n");
}

TEST(TryAccumulate, VectorsOfSeveralRegistersAreAccumulatorsThemselves) {
  AccumulatedLoop loop =
      loop_over("C[j] = (C[j] + A[i])", ir::IntImm::make(3), ir::IntImm::make(16));
  loop.lanes = {32, false};
  loop.rest_lanes = {16, false};
  loop.at_once = 4;
  EXPECT_EQ(ir::to_string(*try_accumulate(loop)),
            "allocate acc: float32[32] in register {\n"
            "  vstore(acc[0], 32) = broadcast(0.0f32, 32)\n"
            "  for i_vec in [0, 3) {\n"
            "    vstore(acc[0], 32) = (vload(acc[0], 32) + vload(A[(i_vec * 32)], 32))\n"
            "  }\n"
            "  vstore(acc[0], 16) = (vload(acc[0], 16) + vload(A[96], 16))\n"
            "  C[j] = (C[j] + reduce_sum(vload(acc[0], 32)))\n"
            "}\n");
}

TEST(TryAccumulate, LoopsThatAreWrittenOutAreSeveralSums) {
  EXPECT_EQ(text("for r in [0, 2) unrolled { C[((j * 4) + r)] = (C[((j * 4) + r)] + "
                 "(A[i] * E[((r * 100) + i)])) }",
                 ir::Var::make("n"), {}, &kOneAccumulator),
            "allocate acc: float32[8] in register {\n"
            "  allocate acc_2: float32[8] in register {\n"
            "    vstore(acc[0], 8) = broadcast(0.0f32, 8)\n"
            "    vstore(acc_2[0], 8) = broadcast(0.0f32, 8)\n"
            "    for i_vec in [0, n) {\n"
            "      vstore(acc[0], 8) = (vload(acc[0], 8) + "
            "(vload(A[(i_vec * 8)], 8) * vload(E[(i_vec * 8)], 8)))\n"
            "      vstore(acc_2[0], 8) = (vload(acc_2[0], 8) + "
            "(vload(A[(i_vec * 8)], 8) * vload(E[((i_vec * 8) + 100)], 8)))\n"
            "    }\n"
            "    C[((j * 4) + 0)] = (C[((j * 4) + 0)] + reduce_sum(vload(acc[0], 8)))\n"
            "    C[((j * 4) + 1)] = (C[((j * 4) + 1)] + reduce_sum(vload(acc_2[0], 8)))\n"
            "  }\n"
            "}\n");
}

TEST(TryAccumulate, SeveralSumsShareTheAccumulators) {
  const std::string tile =
      "for r in [0, 2) unrolled { for q in [0, 2) unrolled {"
      " C[((r * 2) + q)] = (C[((r * 2) + q)] + (A[((r * 100) + i)] * E[((q * 100) + i)])) } }";
  const std::string out = text(tile, ir::IntImm::make(10));
  EXPECT_NE(out.find("allocate acc_4: float32[16] in register"), std::string::npos) << out;
  EXPECT_EQ(out.find("acc_5"), std::string::npos) << out;
}

TEST(TryAccumulate, SumsThatMayBeTheSameAreLeft) {
  const ir::Expr many = ir::IntImm::make(8);
  EXPECT_EQ(text("for r in [0, 2) unrolled { C[0] = (C[0] + A[(i + r)]) }", many), "none");
  EXPECT_EQ(text("C[j] = (C[j] + A[i]) C[0] = (C[0] + A[i])", many), "none");
  EXPECT_EQ(text("C[0] = (C[0] + A[i]) C[1] = (C[1] + (A[i] * C[0]))", many), "none");
  EXPECT_EQ(text("for r in [0, 65) unrolled { C[r] = (C[r] + A[i]) }", many), "none");
  EXPECT_EQ(text("for r in [0, 2) { C[r] = (C[r] + A[i]) }", many), "none");
}

TEST(TryAccumulate, LeavesOtherLoops) {
  const ir::Expr many = ir::IntImm::make(8);
  EXPECT_EQ(text("C[i] = (C[i] + A[i])", many), "none");
  EXPECT_EQ(text("C[j] = A[i]", many), "none");
  EXPECT_EQ(text("C[j] = (C[j] + A[j])", many), "none");
  EXPECT_EQ(text("C[j] = (C[j] + A[(i * i)])", many), "none");
  EXPECT_EQ(text("C[j] = (C[j] + A[i]) C[0] = 1.0f32", many), "none");
  EXPECT_EQ(text("E[i] = C[j] C[j] = (C[j] + A[i])", many), "none");
  EXPECT_EQ(text("E[(i * i)] = A[i] C[j] = (C[j] + A[i])", many), "none");
  EXPECT_EQ(text("C[j] = (C[j] + A[i])", ir::IntImm::make(1)), "none");
}

}  // namespace
}  // namespace solway::lowering
