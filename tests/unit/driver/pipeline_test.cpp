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

std::string after_passes(const lowering::LanesPerType& lanes) {
  Remarks remarks;
  return ir::to_string(run_passes(ir::parse_kernel(kKernel), passes_for(lanes), remarks));
}

TEST(Pipeline, MakesVectorsOfTheMachinesLanes) {
  const std::string text = after_passes({{DType::Float32, 16}});
  EXPECT_THAT(text, HasSubstr("vstore(C[0], 16)"));
  EXPECT_THAT(text, HasSubstr("vstore(C[16], 16)"));
  EXPECT_THAT(text, Not(HasSubstr("for ")));
}

TEST(Pipeline, KeepsLoopsWithoutVectors) {
  const std::string text = after_passes({});
  EXPECT_THAT(text, HasSubstr("for j in [0, 32) vectorized"));
  EXPECT_THAT(text, Not(HasSubstr("for i ")));
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

TEST(Pipeline, KnowsLanesOfThisMachine) {
  const lowering::LanesPerType lanes = host_lanes();
  EXPECT_GE(lanes.at(DType::Float32), 4);
  EXPECT_EQ(lanes.at(DType::Float32), 2 * lanes.at(DType::Float64));
}

}  // namespace
}  // namespace solway::driver
