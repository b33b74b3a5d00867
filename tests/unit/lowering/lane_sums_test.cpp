#include "lowering/lane_sums.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/verifier.h"

namespace solway::lowering {
namespace {

using testing::HasSubstr;

ir::Kernel kernel(const std::string& body) {
  return ir::parse_kernel(
      "kernel k(in A: float32[8, 100], in n: int64[1], inout C: float32[8]) { " + body + " }");
}

/// The body after the pass; empty: it is what it was.
std::string changed(const std::string& body) {
  ir::Kernel k = kernel(body);
  const ir::Stmt before = k.body;
  k.body = keep_lane_sums(k.body, VectorForms{{{DType::Float32, 4}}});
  ir::verify(k, ir::Stage::AfterLowering);
  return k.body.same_as(before) ? "" : to_string(k.body);
}

std::string rows(const std::string& lanes, const std::string& store) {
  return "for r in [0, 8) { for q in " + lanes + " vectorized { " + store + " } }";
}

TEST(LaneSums, LanesAreCombinedBehindTheLoopsAroundThem) {
  const std::string out = changed(rows("[2, 8)", "C[3] = (C[3] + A[r, q])"));
  EXPECT_THAT(out, HasSubstr("allocate lanes_0_q: float32[8] in register"));
  EXPECT_THAT(out, HasSubstr("for q_first in [0, 8) vectorized"));
  EXPECT_THAT(out, HasSubstr("lanes_0_q[q_first] = 0.0f32"));
  EXPECT_THAT(out, HasSubstr("for q in [2, 8) vectorized"));
  EXPECT_THAT(out, HasSubstr("lanes_0_q[(q + -2)] = (lanes_0_q[(q + -2)] + A[r, q])"));
  EXPECT_THAT(out, HasSubstr("C[3] = (C[3] + lanes_0_q[q_last])"));
}

TEST(LaneSums, ExtremesBeginWithWhatChangesNone) {
  EXPECT_THAT(changed(rows("[0, 4)", "C[0] = max(C[0], A[r, q])")),
              HasSubstr("lanes_0_q[q_first] = -inf_f32"));
}

TEST(LaneSums, LoopsThatMoveTheElementStandAround) {
  const std::string out = changed(
      "for i in [0, 8) { for r in [0, 2) unrolled { for q in [0, 4) "
      "vectorized { C[i] = (C[i] + A[r, (q + i)]) } } }");
  EXPECT_THAT(out, HasSubstr("for i in [0, 8) {\n  allocate"));
  EXPECT_THAT(out, HasSubstr("for r in [0, 2) unrolled"));
}

/// Long rows, extents that a call says, elements that move, and what is no sum.
TEST(LaneSums, OtherLoopsStay) {
  const std::string sum = "C[3] = (C[3] + A[r, q])";
  EXPECT_EQ(changed(rows("[0, 17)", sum)), "");
  EXPECT_EQ(changed(rows("[0, n[0])", sum)), "");
  EXPECT_EQ(changed("for q in [0, 8) vectorized { C[3] = (C[3] + A[0, q]) }"), "");
  EXPECT_EQ(changed(rows("[0, 8)", "C[r] = (C[r] + A[r, q])")), "");
  EXPECT_EQ(changed(rows("[0, 8)", "C[q] = (C[q] + A[r, q])")), "");
  EXPECT_EQ(changed(rows("[0, 8)", "C[3] = (C[3] + A[r, 0])")), "");
  EXPECT_EQ(changed(rows("[0, 8)", "C[3] = (C[3] - A[r, q])")), "");
}

}  // namespace
}  // namespace solway::lowering
