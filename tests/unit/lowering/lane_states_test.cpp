#include "lowering/lane_states.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/verifier.h"
#include "lowering/vectorize_loops.h"

namespace solway::lowering {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The largest of A and the first place where it is, in B and C; `first` and `second` are their new
/// values.
std::string largest(const std::string& extent,
                    const std::string& first = "select((t > B[0]), t, B[0])",
                    const std::string& second =
                        "select(((t > B[0]) or ((t == B[0]) and (u < "
                        "C[0]))), u, C[0])") {
  return "for i in [0, " + extent + ") vectorized { let t = A[i] { let u = i { let v = " + first +
         " { let w = " + second + " { B[0] = v C[0] = w } } } } }";
}

ir::Kernel kernel(const std::string& body) {
  return ir::parse_kernel(
      "kernel k(in A: int64[100], in n: int64[1], inout B: int64[2], inout C: int64[2]) { " + body +
      " }");
}

std::string vectorized(const std::string& body, Remarks& remarks) {
  ir::Kernel k = kernel(body);
  VectorForms forms{{{DType::Int64, 4}}};
  k.body = vectorize_loops(k.body, forms, remarks);
  ir::verify(k, ir::Stage::AfterVectorize);
  return to_string(k.body);
}

TEST(LaneStates, LanesCombineApartAndThenInHalves) {
  Remarks remarks;
  const std::string out = vectorized(largest("100"), remarks);
  EXPECT_TRUE(remarks.empty());
  EXPECT_THAT(out, HasSubstr("allocate state_0_i_0: int64[16] in register"));
  EXPECT_THAT(out, HasSubstr("allocate state_0_i_1: int64[16] in register"));
  EXPECT_THAT(out, HasSubstr("let u_lanes = ramp(12, 1, 4)"));  // the first terms
  EXPECT_THAT(out, HasSubstr("for i_vec in [1, 6)"));           // 25 vectors, 4 at a time
  EXPECT_THAT(out, HasSubstr("vload(A[96], 4)"));               // the last one
  EXPECT_THAT(out, HasSubstr("let t_lanes = vload(state_0_i_0[8], 4)"));
  EXPECT_THAT(out, HasSubstr("let t_lanes = vload(state_0_i_0[4], 4)"));
  EXPECT_THAT(out, HasSubstr("let t_lanes = vload(state_0_i_0[2], 2)"));
  EXPECT_THAT(out, HasSubstr("let t = state_0_i_0[1]"));
  EXPECT_THAT(out, HasSubstr("let t = state_0_i_0[0]"));
  EXPECT_THAT(out, Not(HasSubstr("for i in")));
}

TEST(LaneStates, WhatFillsNoVectorIsCombinedBehindThem) {
  Remarks remarks;
  EXPECT_THAT(vectorized(largest("11"), remarks), HasSubstr("for i in [8, 11) {"));
  EXPECT_TRUE(remarks.empty());
}

/// With float32 beside int64, of which vectors have half as many.
std::string with_floats(const std::string& body, Remarks& remarks) {
  ir::Kernel k = ir::parse_kernel(
      "kernel k(in A: float32[100], in n: int64[1], inout B: float32[2], inout C: int64[2]) { " +
      body + " }");
  VectorForms forms{{{DType::Int64, 4}, {DType::Float32, 8}, {DType::Int32, 8}}};
  k.body = vectorize_loops(k.body, forms, remarks);
  ir::verify(k, ir::Stage::AfterVectorize);
  return to_string(k.body);
}

TEST(LaneStates, PositionsThatFitAreInt32InLanes) {
  Remarks remarks;
  const std::string out = with_floats(largest("100"), remarks);
  EXPECT_TRUE(remarks.empty());
  EXPECT_THAT(out, HasSubstr("allocate state_0_i_0: float32[32] in register"));
  EXPECT_THAT(out, HasSubstr("allocate state_0_i_1: int32[32] in register"));
  EXPECT_THAT(out, HasSubstr("for i_vec in [1, 3)"));  // 12 vectors, 4 at a time
  EXPECT_THAT(out, HasSubstr("let u = int64(state_0_i_1[0])"));
  EXPECT_THAT(out, HasSubstr("for i in [96, 100) {"));
}

TEST(LaneStates, LaterPositionsAreNotCompared) {
  Remarks remarks;
  const std::string out = with_floats(largest("96"), remarks);
  const std::string compared = "(u_lanes < u_before_lanes)";
  const std::string rounds = out.substr(0, out.find("let t_lanes = vload(state"));
  EXPECT_THAT(rounds, HasSubstr("for i_vec in"));
  EXPECT_THAT(rounds, Not(HasSubstr(compared)));
  EXPECT_THAT(out.substr(rounds.size()), HasSubstr(compared));
}

TEST(LaneStates, OtherPositionsAreInt64InLanes) {
  for (const std::string& body : {
           largest("12"),  // fewer than two vectors of int32
           largest("100", "select((t > B[0]), t, B[0])", "(C[0] + u)"),
       }) {
    Remarks remarks;
    EXPECT_THAT(with_floats(body, remarks), HasSubstr("state_0_i_1: int64[")) << body;
    EXPECT_TRUE(remarks.empty());
  }
}

TEST(LaneStates, OneValueNeedsNoName) {
  Remarks remarks;
  const std::string out = vectorized(
      "for i in [0, 100) vectorized { let t = A[i] { B[0] = select((t > B[0]), t, B[0]) } }",
      remarks);
  EXPECT_TRUE(remarks.empty());
  EXPECT_THAT(out, HasSubstr("allocate state_0_i_0: int64[16] in register"));
  EXPECT_THAT(out, HasSubstr("let t_value = select("));
  EXPECT_THAT(out, Not(HasSubstr("for i in")));
}

/// Fewer than two vectors, an extent that a call says, and values that use what they must not, run
/// lane by lane.
TEST(LaneStates, OtherLoopsRunLaneByLane) {
  for (const std::string& body : {
           largest("7"),
           largest("n[0]"),
           largest("100", "select((t > B[0]), t, B[1])"),
           largest("100", "select((i > B[0]), t, B[0])"),
           largest("100", "select((t > A[0]), t, B[0])"),
       }) {
    Remarks remarks;
    EXPECT_THAT(vectorized(body, remarks), Not(HasSubstr("state_"))) << body;
    EXPECT_FALSE(remarks.empty());
  }
}

}  // namespace
}  // namespace solway::lowering
