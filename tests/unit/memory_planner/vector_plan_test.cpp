#include "memory_planner/vector_plan.h"

#include <gtest/gtest.h>

#include "memory_planner/vector_plan_cost.h"

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

VectorPlan best(const VectorStage& stage) {
  return plan_vectors(stage, testing::vector_machine(), 4).front();
}

TEST(VectorPlan, AProductHoldsATileThatFitsTheRegisters) {
  const VectorStage stage = testing::product(96, 128, 256);
  const VectorPlan plan = best(stage);
  EXPECT_EQ(plan.vector, 1);
  EXPECT_TRUE(plan.in_registers);
  EXPECT_GE(plan.held[0] * plan.held[1], 16);
  EXPECT_LE(registers_of(stage, plan), 31);
}

TEST(VectorPlan, RowsThatDoNotDivideAreSharedOutEvenly) {
  const VectorPlan plan = best(testing::product(49, 32, 256));
  const std::int64_t tiles = (49 + plan.held[0] - 1) / plan.held[0];
  EXPECT_EQ((49 + tiles - 1) / tiles, plan.held[0]);
}

TEST(VectorPlan, ALongReductionRunsInBlocks) {
  const VectorPlan plan = best(testing::product(96, 128, 100000));
  EXPECT_EQ(plan.blocked, 2);
  EXPECT_GT(plan.block, 0);
  EXPECT_LT(plan.block, 100000);
}

/// One row of C reads each row of B once, a piece of it in each term.
TEST(VectorPlan, RowsOfMainMemoryAreReadSomeAtATime) {
  const VectorPlan far = best(testing::product(1, 4096, 1024));
  EXPECT_EQ(far.blocked, 2);
  EXPECT_EQ(far.block, 8);
  const VectorPlan near = best(testing::product(1, 4096, 256));
  EXPECT_EQ(near.blocked, -1);  // 4 MB
  const VectorPlan narrow = best(testing::product(1, 512, 8192));
  EXPECT_EQ(narrow.blocked, -1);  // rows of 2 KB
}

/// A^T B: terms of an operand in the rows of which a tile holds some numbers.
TEST(VectorPlan, NumbersOfManyRowsAreCopiedSideBySide) {
  VectorStage stage = testing::product(1024, 1024, 1024);
  std::swap(stage.accesses[0].dims[0], stage.accesses[0].dims[1]);
  stage.accesses[0].steps = {1, 0, 1024};
  const VectorPlan plan = best(stage);
  const auto rows = std::find_if(plan.panels.begin(), plan.panels.end(),
                                 [](const Panel& panel) { return panel.in_rows; });
  ASSERT_NE(rows, plan.panels.end());
  EXPECT_EQ(rows->array, "A");
  const VectorPlan in_order = best(testing::product(1024, 1024, 1024));
  for (const Panel& panel : in_order.panels) EXPECT_FALSE(panel.in_rows) << panel.array;
}

TEST(VectorPlan, TilesAreComparedWithoutTheOrderOfTheirLoops) {
  // 49 pixels by fives, filters inside, beside 49 by fours, filters outside: an image that comes
  // again in stretches tells orders apart, and not tiles.
  Target machine = testing::narrow_machine();
  for (Memory& memory : machine.memories) {
    if (memory.name == "panel") memory.size_bytes = 524288;
  }
  const VectorStage stage = testing::pixels(128, 49, 32, machine);
  const std::vector<VectorPlan> plans = plan_vectors(stage, machine, 8);
  const VectorPlan& plan = plans.front();
  EXPECT_EQ(plan.held, (std::vector<std::int64_t>{1, 5, 2, 1, 1}));
  EXPECT_EQ(plan.outer.front(), 1);
  EXPECT_GT(plan.order_cycles, 0);
  for (const VectorPlan& other : plans) {
    if (other.vector < 0) continue;
    EXPECT_LE(plan.cycles_of_tiles(), other.cycles_of_tiles());
  }
}

TEST(VectorPlan, BlocksLieInOnePiece) {
  // 12 planes of 16 channels: of the loops over them, blocks of planes.
  Target machine = testing::vector_machine();
  for (Memory& memory : machine.memories) {
    if (memory.name == "panel") memory.size_bytes = 2048;
  }
  const VectorStage stage = testing::pixels(12, 3136, 64, machine);
  ASSERT_EQ(stage.loops[3].name, "co");
  int blocked = 0;
  for (const VectorPlan& plan : plan_vectors(stage, machine, 8)) {
    if (plan.blocked < 0) continue;
    EXPECT_EQ(plan.blocked, 3);
    ++blocked;
  }
  EXPECT_GT(blocked, 0);
}

TEST(VectorPlan, AsksEarlyForWhatTilesReadAgain) {
  const VectorStage stage = testing::product(960, 128, 256);
  const VectorPlan plan = best(stage);
  ASSERT_EQ(plan.early.size(), 1U);
  EXPECT_EQ(plan.early[0].array, "B");
}

TEST(VectorPlan, ProductsOfHalvesHavePanelsOfBothOperands) {
  VectorStage stage = testing::product(96, 128, 256);
  const double of_floats = best(stage).cycles;
  EXPECT_TRUE(best(stage).panels.empty());
  for (VectorAccess& access : stage.accesses) access.is_half = !access.is_written;
  const VectorPlan plan = best(stage);
  EXPECT_EQ(plan.panels.size(), 2U);
  EXPECT_LT(plan.cycles, 1.2 * of_floats);
  VectorPlan direct = plan;
  direct.panels.clear();
  EXPECT_GT(cycles_of(stage, direct, caches_of(testing::vector_machine())), 1.5 * of_floats);
}

TEST(VectorPlan, BuffersHaveNoPanels) {
  VectorStage stage = testing::product(96, 128, 256);
  for (VectorAccess& access : stage.accesses) {
    access.is_half = !access.is_written;
    access.is_near = access.array == "A";
  }
  const VectorPlan plan = best(stage);
  ASSERT_EQ(plan.panels.size(), 1U);
  EXPECT_EQ(plan.panels[0].array, "B");
}

TEST(VectorPlan, HalvesThatAreUsedOnceAreReadInPlace) {
  VectorStage stage = testing::product(1, 128, 256);
  for (VectorAccess& access : stage.accesses) access.is_half = !access.is_written;
  EXPECT_TRUE(best(stage).panels.empty());
}

TEST(VectorPlan, ProductsOfBytesAreAddedInFours) {
  const Target machine = testing::vector_machine_with_dots();
  const VectorStage stage = describe_stage(testing::product_of_bytes(96, 128, 254), "C", machine);
  const VectorPlan plan = plan_vectors(stage, machine, 4).front();
  EXPECT_EQ(plan.dot, 2);
  EXPECT_EQ(plan.vector, 1);
  EXPECT_TRUE(plan.in_registers);
  // 64 steps of dots, the last of them in part, of which two start in a cycle.
  const double steps = 96.0 * 128 / 16 * 64;
  EXPECT_GE(plan.cycles, steps * 0.5);
  EXPECT_LE(plan.cycles, steps * 0.7);
}

TEST(VectorPlan, BytesThatLieApartAreCopiedInGroupsForManyRows) {
  const Target machine = testing::vector_machine_with_dots();
  const auto plan_of = [&](std::int64_t rows) {
    const schedule::State state = testing::product_of_rows_of_bytes(rows, 128, 254);
    return plan_vectors(describe_stage(state, "C", machine), machine, 4).front();
  };
  const VectorPlan plan = plan_of(96);
  EXPECT_EQ(plan.dot, 2);
  EXPECT_EQ(plan.vector, 1);
  ASSERT_EQ(plan.panels.size(), 1U);
  EXPECT_EQ(plan.panels[0].array, "B");
  EXPECT_EQ(plan.panels[0].lanes, 1);
  EXPECT_TRUE(plan.panels[0].in_groups);
  EXPECT_EQ(plan_of(1).dot, -1);  // a copy would take longer than what it saves
}

TEST(VectorPlan, HalvesAreAddedInPairsWhereThatIsFaster) {
  Target machine = load_target("aarch64-neon", {});
  const schedule::State state = testing::product_of(testing::kHalves, 96, 128, 255);
  EXPECT_TRUE(describe_stage(state, "C", machine).dots.empty());
  machine.vector->dots = {{DType::BFloat16, DType::BFloat16}};
  VectorStage stage = describe_stage(state, "C", machine);
  const VectorPlan plan = plan_vectors(stage, machine, 4).front();
  EXPECT_EQ(plan.dot, 2);
  EXPECT_EQ(plan.dot_terms, 2);
  EXPECT_TRUE(plan.panels.empty());
  stage.dot_cycles = 2;  // half the products in the same time
  const std::vector<VectorPlan> slow = plan_vectors(stage, machine, 4);
  EXPECT_LT(slow.front().dot, 0);
  EXPECT_FALSE(slow.front().panels.empty());
}

TEST(VectorPlan, BytesHaveNoDotsWhereHalvesDo) {
  Target machine = testing::vector_machine_with_dots();
  machine.vector->dots = {{DType::BFloat16, DType::BFloat16}};
  EXPECT_TRUE(describe_stage(testing::product_of_bytes(96, 128, 256), "C", machine).dots.empty());
}

TEST(VectorPlan, BlocksOfDotsAreWholeGroups) {
  const Target machine = testing::vector_machine_with_dots();
  const VectorStage stage =
      describe_stage(testing::product_of_bytes(96, 128, 100002), "C", machine);
  const VectorPlan plan = plan_vectors(stage, machine, 4).front();
  EXPECT_EQ(plan.blocked, 2);
  EXPECT_EQ(plan.block % 4, 0);
}

TEST(VectorPlan, WithoutVectorsAStageIsLeft) {
  const samples::Matmul matmul(8, 32, 64, DType::UInt8);
  const VectorStage stage =
      describe_stage(schedule::make_state({matmul.c}, {}), "C", testing::vector_machine());
  EXPECT_EQ(best(stage).vector, -1);
}

TEST(VectorPlan, FewNumbersThatOtherStagesStoredStayApart) {
  const auto has_vectors = [](std::int64_t rows, bool is_near) {
    VectorStage stage = testing::product(rows, rows, 1);
    stage.is_update = stage.has_free_order = stage.can_hold = false;
    stage.is_near = is_near;
    const std::vector<VectorPlan> plans = plan_vectors(stage, testing::vector_machine(), 6);
    return std::any_of(plans.begin(), plans.end(), [](const auto& p) { return p.vector >= 0; });
  };
  EXPECT_FALSE(has_vectors(4, true));
  EXPECT_TRUE(has_vectors(4, false));
  EXPECT_TRUE(has_vectors(5, true));
}

TEST(VectorPlan, NoTileOfRegistersTurnsWhatIsNearMemory) {
  VectorStage stage = testing::product(16, 64, 64);
  stage.can_hold = false;
  stage.is_near = true;
  for (VectorAccess& access : stage.accesses) {
    if (!access.is_written) continue;
    std::swap(access.steps[0], access.steps[1]);
    std::swap(access.block_steps[0], access.block_steps[1]);
  }
  for (const VectorPlan& plan : plan_vectors(stage, testing::vector_machine(), 20)) {
    EXPECT_TRUE(!plan.in_registers || plan.vector == 0);
  }
}

TEST(VectorPlan, TheBestIsFirstAndOneLeavesTheStage) {
  const VectorStage stage = testing::product(96, 128, 256);
  const std::vector<VectorPlan> plans = plan_vectors(stage, testing::vector_machine(), 4);
  ASSERT_EQ(plans.size(), 4U);
  for (std::size_t k = 1; k < plans.size(); ++k) EXPECT_LE(plans[0].cycles, plans[k].cycles);
  EXPECT_EQ(plans.back().vector, -1);
}

}  // namespace
}  // namespace solway::memory_planner
