#include "memory_planner/vector_stage.h"

#include <gtest/gtest.h>

#include "schedule/vectorize.h"

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

TEST(VectorStage, AProductReadsTwoAndHoldsOne) {
  const VectorStage stage = testing::product(8, 32, 64);
  ASSERT_EQ(stage.accesses.size(), 3U);
  EXPECT_EQ(stage.accesses[0].array, "A");
  EXPECT_FALSE(stage.accesses[0].depends(1));
  EXPECT_TRUE(stage.accesses[0].depends(2));
  EXPECT_EQ(stage.accesses[1].steps[1], 1);
  EXPECT_TRUE(stage.accesses[2].is_written);
  EXPECT_EQ(stage.lanes, 16);
  EXPECT_TRUE(stage.is_update && stage.has_free_order && stage.can_hold);
  EXPECT_EQ(stage.result, "C");
  EXPECT_EQ(stage.chain_cycles, 4);
}

TEST(VectorStage, OfNestedReductionsTheTermsCount) {
  const samples::NestedMatmul nested(8, 32, 64);
  const VectorStage stage =
      describe_stage(schedule::make_state({nested.d}, {}), "D", testing::vector_machine());
  EXPECT_EQ(stage.statements, 2);
  EXPECT_TRUE(stage.is_update);
  EXPECT_EQ(stage.result, "D_r0");
}

TEST(VectorStage, ATypeWithoutVectorsHasNoLanes) {
  const samples::Matmul matmul(8, 32, 64, DType::UInt8);
  const VectorStage stage =
      describe_stage(schedule::make_state({matmul.c}, {}), "C", testing::vector_machine());
  EXPECT_EQ(stage.lanes, 1);
  EXPECT_NE(stage.no_vector.find("uint8"), std::string::npos);
}

TEST(VectorStage, BytesSideBySideInFoursAreDots) {
  const Target machine = testing::vector_machine_with_dots();
  const schedule::State state = testing::product_of_bytes(8, 32, 22);
  const VectorStage stage = describe_stage(state, "C", machine);
  EXPECT_EQ(stage.lanes, 16);
  EXPECT_EQ(stage.dots, (std::vector<bool>{false, false, true}));
  EXPECT_TRUE(describe_stage(state, "C", testing::vector_machine()).dots.empty());
  EXPECT_EQ(describe_stage(testing::product_of_bytes(8, 32, 3), "C", machine).dots,
            (std::vector<bool>{false, false, false}));
  const samples::Matmul plain(8, 32, 64, DType::Int32);
  const schedule::State other = schedule::make_state({plain.c}, {});
  EXPECT_TRUE(describe_stage(other, "C", machine).dots.empty());
}

TEST(VectorStage, AMarkedLoopIsFixed) {
  const samples::Matmul matmul(8, 32, 64);
  const schedule::State state = schedule::make_state({matmul.c}, {});
  const schedule::State marked =
      schedule::vectorize(state, "C", state.stage_loops.at("C")[1], samples::at(9));
  const VectorStage stage = describe_stage(marked, "C", testing::vector_machine());
  EXPECT_EQ(stage.loops[1].tiling, Tiling::Outside);
  EXPECT_EQ(stage.loops[0].tiling, Tiling::Free);
}

}  // namespace
}  // namespace solway::memory_planner
