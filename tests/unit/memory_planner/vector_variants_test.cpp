#include "memory_planner/vector_variants.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "memory_planner/terms_together.h"

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

std::vector<VectorPlan> plans_of(const VectorStage& stage, int count) {
  return plan_vectors(stage, testing::vector_machine(), count);
}

std::vector<VectorPlan> variants(const VectorStage& stage) {
  return variants_of(stage, testing::vector_machine(), plans_of(stage, 6).front());
}

template <typename Is>
std::ptrdiff_t count_of(const std::vector<VectorPlan>& plans, const Is& is) {
  return std::count_if(plans.begin(), plans.end(), is);
}

TEST(VectorVariants, KindsOfTilesStandFirst) {
  const VectorStage stage = testing::pixels(16, 3136, 4);
  const std::vector<VectorPlan> plans = plans_of(stage, 6);
  ASSERT_EQ(plans.size(), 6U);
  EXPECT_EQ(vectors_of_row(stage, plans[0]), 2);
  EXPECT_EQ(vectors_of_row(stage, plans[1]), 4);
  EXPECT_LT(plans[1].cycles, 1.1 * plans[0].cycles);
  EXPECT_EQ(plans[0].together.loop, -1);  // the model's choice is as the model sees it
  EXPECT_EQ(plans[1].together.size, 4);
  EXPECT_EQ(plans.back().vector, -1);
}

TEST(VectorVariants, LargeWindowsAreWrittenOutAsAWholeAndRowByRow) {
  const auto rows_alone = [](const VectorPlan& plan) {
    return plan.written_out[4] && !plan.written_out[3];
  };
  const auto kinds = [](std::int64_t size) {
    return plans_of(
        describe_stage(testing::each_channel(14, 14, size), "D", testing::vector_machine()), 6);
  };
  EXPECT_EQ(count_of(kinds(3), rows_alone), 0);
  const std::vector<VectorPlan> plans = kinds(5);
  ASSERT_GT(plans.size(), 2U);
  EXPECT_NE(rows_alone(plans[0]), rows_alone(plans[1]));
  EXPECT_TRUE(plans[0].written_out[4] && plans[1].written_out[4]);
  const auto is_split = [&](const VectorPlan& plan) {
    return rows_alone(plan) && plan.together.loop >= 0;
  };
  EXPECT_EQ(count_of(plans, is_split), 0);
}

TEST(VectorVariants, FewPlansAreTheBestAndTheLastResort) {
  const std::vector<VectorPlan> plans = plans_of(testing::pixels(16, 3136, 4), 2);
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_GE(plans[0].vector, 0);
  EXPECT_EQ(plans[1].vector, -1);
  EXPECT_EQ(plans_of(testing::pixels(16, 3136, 4), 1).front().vector, -1);
}

TEST(VectorVariants, OneTileInOtherWays) {
  const VectorStage stage = testing::pixels(16, 3136, 4);
  const VectorPlan first = plans_of(stage, 6).front();
  const std::vector<VectorPlan> others = variants(stage);
  EXPECT_FALSE(first.early.empty());
  EXPECT_GT(count_of(others, [](const VectorPlan& plan) { return plan.early.empty(); }), 1);
  EXPECT_EQ(count_of(others, [](const VectorPlan& plan) { return plan.together.size == 4; }), 2);
  EXPECT_EQ(count_of(others, [](const VectorPlan& plan) { return plan.groups.loop == 1; }), 1);
  for (const VectorPlan& plan : others) {
    EXPECT_EQ(plan.held, first.held);
    EXPECT_GT(plan.cycles, 0);
  }
}

TEST(VectorVariants, GroupsUseWhatMovesAroundThemSeveralTimes) {
  const std::vector<VectorPlan> others = variants(testing::product(8192, 256, 128));
  const auto grouped = std::find_if(others.begin(), others.end(),
                                    [](const VectorPlan& plan) { return plan.groups.loop >= 0; });
  ASSERT_NE(grouped, others.end());
  EXPECT_EQ(grouped->groups.loop, 0);
  EXPECT_EQ(grouped->groups.size, 4);
  EXPECT_EQ(grouped->outer, (std::vector<int>{1, 0}));
  // Two tiles of rows are no groups.
  const std::vector<VectorPlan> few = variants(testing::product(16, 256, 128));
  EXPECT_EQ(count_of(few, [](const VectorPlan& plan) { return plan.groups.loop >= 0; }), 0);
}

TEST(VectorVariants, NoneWithoutSums) {
  VectorStage stage = testing::product(96, 128, 256);
  stage.is_update = false;
  EXPECT_TRUE(variants(stage).empty());
}

}  // namespace
}  // namespace solway::memory_planner
