#include "lowering/ir/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "support/error.h"

namespace solway::ir {
namespace {

using ::testing::HasSubstr;

Kernel kernel(const std::string& body) {
  return parse_kernel("kernel k(in A: float32[8], out C: float32[8]) { " + body + " }");
}

void expect_rejected(const Kernel& k, Stage stage, const std::string& why) {
  try {
    verify(k, stage);
    ADD_FAILURE() << "expected InternalError: " << why;
  } catch (const InternalError& e) {
    EXPECT_THAT(e.report().why, HasSubstr(why));
  }
}

TEST(Verifier, AcceptsEachStage) {
  verify(kernel("for i in [0, 8) vectorized { C[i] = A[i] }"), Stage::AfterLowering);
  verify(kernel("for i in [0, 8) unrolled { vstore(C[0], 8) = vload(A[0], 8) }"),
         Stage::AfterVectorize);
  verify(kernel("for i in [0, 2) { C[i] = A[i] } for i in [2, 8) { C[i] = A[i] }"),
         Stage::AfterUnroll);
}

TEST(Verifier, RejectsNodesOfOtherStages) {
  expect_rejected(kernel("vstore(C[0], 8) = vload(A[0], 8)"), Stage::AfterLowering,
                  "a vector store before vectorize_loops");
  expect_rejected(kernel("for i in [0, 8) vectorized { C[i] = A[i] }"), Stage::AfterVectorize,
                  "loop 'i' is still vectorized");
  expect_rejected(kernel("for i in [0, 8) unrolled { C[i] = A[i] }"), Stage::AfterUnroll,
                  "loop 'i' is still unrolled");
}

TEST(Verifier, GroupsOfADotStandBeforeOtherVectors) {
  const auto sum = [](const std::string& value) {
    return parse_kernel("kernel k(in A: uint8[4], in B: int8[4], out C: int32[4]) { " + value +
                        " }");
  };
  verify(sum("C[0] = dot(C[0], vload(A[0], 4), vload(B[0], 4))"), Stage::AfterLowering);
  expect_rejected(sum("C[0] = reduce_sum(vload(C[0], 4))"), Stage::AfterLowering,
                  "before vectorize_loops");
  expect_rejected(sum("C[0] = dot(reduce_sum(vload(C[0], 4)), vload(A[0], 4), vload(B[0], 4))"),
                  Stage::AfterLowering, "before vectorize_loops");
}

TEST(Verifier, MatchesTransfers) {
  const std::string issue = "issue AA get A[0] -> AA[0] (8, 1, 1) ";
  const auto with = [&](const std::string& body) {
    return kernel("allocate AA: float32[8] in ldm { " + body + " }");
  };
  verify(with(issue + "wait AA"), Stage::AfterLowering);
  expect_rejected(with(issue), Stage::AfterLowering, "issued and never waited for");
  expect_rejected(with("wait AA"), Stage::AfterLowering, "waited for and never issued");
  expect_rejected(kernel("issue t get A[0] -> C[0] (8, 1, 1) wait t"), Stage::AfterLowering,
                  "expected main and near memory");
}

TEST(Verifier, WhatAllCoresSeeIsFilledFromMainMemoryAndFillsNearMemory) {
  const auto with = [&](const std::string& body) {
    return kernel(
        "allocate S: float32[8] in shared { allocate T: float32[8] in shared { allocate L: "
        "float32[8] in ldm { " +
        body + " } } }");
  };
  const std::string fill = "issue S get A[0] -> S[0] (8, 1, 1) wait S ";
  verify(with(fill + "issue L get S[0] -> L[0] (8, 1, 1) wait L"), Stage::AfterLowering);
  expect_rejected(with(fill + "issue T get S[0] -> T[0] (8, 1, 1) wait T"), Stage::AfterLowering,
                  "expected main and near memory");
  expect_rejected(with("issue L put L[0] -> S[0] (8, 1, 1) wait L"), Stage::AfterLowering,
                  "expected main and near memory");
}

TEST(Verifier, NoBarrierStandsInAParallelLoop) {
  verify(kernel("for t in [0, 2) { barrier for i in [0, 8) parallel { C[i] = A[i] } }"),
         Stage::AfterLowering);
  expect_rejected(kernel("for i in [0, 8) parallel { for t in [0, 2) { barrier } }"),
                  Stage::AfterLowering, "a barrier stands inside a parallel loop");
}

TEST(Verifier, NamesAreDefinedOnceAroundTheirUses) {
  const Buffer c = kernel("").params[1].buffer;
  const Expr zero = FloatImm::make(0, DType::Float32);
  Kernel k = kernel("");
  k.body = Store::make(k.params[1].buffer, {Var::make("i")}, zero);
  expect_rejected(k, Stage::AfterLowering, "variable 'i' is not defined here");
  k.body = Store::make(c, {IntImm::make(0)}, zero);
  expect_rejected(k, Stage::AfterLowering, "another buffer of that name");
  expect_rejected(kernel("for i in [0, 8) { for i in [0, 8) { C[i] = A[i] } }"),
                  Stage::AfterLowering, "'i' is defined twice");
  expect_rejected(kernel("for C in [0, 8) { }"), Stage::AfterLowering, "'C' is defined twice");
}

TEST(Verifier, TypesOfVariablesAgree) {
  Kernel k = kernel("");
  const Expr wrong = Var::make("i", {DType::Float32, {}});
  k.body = For::make("i", IntImm::make(0), IntImm::make(8), ForKind::Serial,
                     Store::make(k.params[1].buffer, {IntImm::make(0)}, wrong));
  expect_rejected(k, Stage::AfterLowering, "variable 'i' has type int64, used as float32");
}

TEST(Verifier, InputsAreNotWritten) {
  expect_rejected(kernel("A[0] = 0.0f32"), Stage::AfterLowering, "input 'A' is written");
}

TEST(Verifier, RequirementsAreConditionsOnParameters) {
  const auto requiring = [](const std::string& text) {
    return parse_kernel("kernel k(in n: int64[1], out C: int64[1]) requires " + text +
                        " { C[0] = n[0] }");
  };
  verify(requiring("((n[0] % 16) == 0), (n[0] < 64)"), Stage::AfterLowering);
  expect_rejected(requiring("(n[0] % 16)"), Stage::AfterLowering, "a requirement is no condition");
  Kernel variable = requiring("(n[0] < 64)");
  variable.requirements[0] = Binary::make(BinaryOp::Lt, Var::make("n"), IntImm::make(64));
  expect_rejected(variable, Stage::AfterLowering, "variable 'n' is not defined here");
}

TEST(Verifier, ErrorsCarryTheLine) {
  Kernel k = kernel("");
  k.body = Store::make(k.params[0].buffer, {IntImm::make(0)}, FloatImm::make(0, DType::Float32),
                       {"user.py", 3, "A[0] = 0"});
  try {
    verify(k, Stage::AfterLowering);
    FAIL() << "expected InternalError";
  } catch (const InternalError& e) {
    EXPECT_EQ(e.report().where.line, 3);
  }
}

}  // namespace
}  // namespace solway::ir
