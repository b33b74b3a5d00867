#include "driver/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kKernel =
    "kernel k(in A: float32[32], out C: float32[32]) {\n"
    "  for i in [0, 1) {\n"
    "    for j in [0, 32) vectorized {\n"
    "      C[((i * 32) + j)] = (A[j] * 2.0f32)\n"
    "    }\n  }\n}\n";

std::string after_passes(const std::string& target, Remarks& remarks) {
  const Target machine = load_target(target, {"user.py", 1, ""});
  return ir::to_string(run_passes(ir::parse_kernel(kKernel), passes_for(machine), remarks));
}

TEST(Pipeline, MakesVectorsOfTheTargetsLanes) {
  Remarks remarks;
  const std::string text = after_passes("x86-64-v4", remarks);
  EXPECT_THAT(text, HasSubstr("vstore(C[0], 16)"));
  EXPECT_THAT(text, HasSubstr("vstore(C[16], 16)"));
  EXPECT_THAT(text, Not(HasSubstr("for ")));
}

TEST(Pipeline, KeepsLoopsForTheCCompiler) {
  Remarks remarks;
  const std::string text = after_passes("c", remarks);
  EXPECT_THAT(text, HasSubstr("for j in [0, 32) vectorized"));
  EXPECT_THAT(text, Not(HasSubstr("for i ")));
  EXPECT_TRUE(remarks.empty());
}

TEST(Pipeline, MakesScalarLoopsForCpesWithARemark) {
  Remarks remarks;
  const std::string text = after_passes("sw26010", remarks);
  EXPECT_THAT(text, HasSubstr("for j in [0, 32) {"));
  EXPECT_THAT(text, Not(HasSubstr("for i ")));
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].step, "vectorize(j)");
  EXPECT_EQ(remarks[0].why, "code for CPEs is scalar for now");
}

constexpr const char* kTransfer =
    "kernel k(in A: float32[100], out C: float32[100]) {\n"
    "  allocate AA: float32[32] in panel {\n"
    "    for i in [0, 4) {\n"
    "      issue AA get A[(i * 32)] -> AA[0] (min(32, (100 - (i * 32))), 1, 1)\n"
    "      wait AA\n"
    "      for j in [0, min(32, (100 - (i * 32)))) {\n"
    "        C[((i * 32) + j)] = AA[j]\n"
    "      }\n    }\n  }\n}\n";

std::string transfer_after(const std::string& target, Transfers transfers) {
  Remarks remarks;
  const Target machine = load_target(target, {"user.py", 1, ""});
  return ir::to_string(
      run_passes(ir::parse_kernel(kTransfer), passes_for(machine, transfers), remarks));
}

TEST(Pipeline, CopiesOnHostWithVectorsAndAPeeledTail) {
  const std::string text = transfer_after("x86-64-v4", Transfers::AsLoops);
  EXPECT_THAT(text, Not(HasSubstr("issue")));
  EXPECT_THAT(text, HasSubstr("for i in [0, 3)"));
  EXPECT_THAT(text, HasSubstr("vstore(AA[16], 16) = vload(A[((i * 32) + 16)], 16)"));
  EXPECT_THAT(text, HasSubstr("vstore(AA[0], 16, active 4) = vload(A[96], 16, active 4)"));
}

TEST(Pipeline, CopiesInCWithLoops) {
  const std::string text = transfer_after("c", Transfers::AsLoops);
  EXPECT_THAT(text, Not(HasSubstr("issue")));
  EXPECT_THAT(text, HasSubstr("AA[AA_0] = A[((i * 32) + AA_0)]"));
}

TEST(Pipeline, KeepsTransfersInFlight) {
  for (const char* target : {"x86-64-v4", "c", "sw26010"}) {
    const std::string text = transfer_after(target, Transfers::InFlight);
    EXPECT_THAT(text, HasSubstr("issue AA get")) << target;
    EXPECT_THAT(text, HasSubstr("wait AA")) << target;
  }
}

TEST(Pipeline, VerifiesAfterEachPass) {
  const Pass breaks = {
      "breaks",
      [](const ir::Stmt&, Remarks&) {
        return ir::parse_kernel("kernel k(out D: float32[1]) { D[0] = 1.0f32 }").body;
      },
      ir::Stage::AfterLowering, ""};
  Remarks remarks;
  EXPECT_THROW(run_passes(ir::parse_kernel(kKernel), {breaks}, remarks), InternalError);
}

}  // namespace
}  // namespace solway::driver
