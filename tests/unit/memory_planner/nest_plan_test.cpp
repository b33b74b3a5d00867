#include "memory_planner/nest_plan.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

NestPlan plan() {
  NestPlan out;
  out.cuts = {{64, 32, 4}, {128, 64, 16}, {256, 32, 1}};
  out.depths = {2, 1, 0};
  return out;
}

TEST(NestPlan, TilesAreWhatTheBuffersServe) { EXPECT_EQ(tiles_of(plan()), (Tiles{32, 64, 32})); }

TEST(NestPlan, BytesCountDepthsAndLeaveOutWhatIsNotStaged) {
  const StageModel stage = testing::matmul(64, 128, 256);
  EXPECT_EQ(buffer_bytes(stage, plan(), 32), 2 * 32 * 32 * 4 + 32 * 64 * 4);
}

TEST(NestPlan, BytesAreAligned) {
  const StageModel stage = testing::elementwise(100);
  NestPlan small;
  small.cuts = {{100, 3, 1}};
  small.depths = {1, 1, 2};  // 12, 12 and 24 bytes
  EXPECT_EQ(buffer_bytes(stage, small, 32), 96);
}

TEST(NestPlan, ATensorDependsOnTheLoopsOfItsIndices) {
  const StageModel stage = testing::matmul(64, 128, 256);
  EXPECT_TRUE(depends(stage.tensors[0], 0));
  EXPECT_FALSE(depends(stage.tensors[0], 1));
  EXPECT_TRUE(depends(stage.tensors[0], 2));
}

}  // namespace
}  // namespace solway::memory_planner
