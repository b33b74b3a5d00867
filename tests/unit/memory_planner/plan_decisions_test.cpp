#include "memory_planner/plan_decisions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_planner/optimal_planner.h"

#include "tests/unit/memory_planner/planned_product.h"

namespace solway::memory_planner {
namespace {

constexpr Room kLdm{63488, 32};

/// The decision of that name; fails without one.
Decision decision(const OptimalPlan& plan, const std::string& what) {
  for (const Decision& one : plan.decisions) {
    if (one.what == what) return one;
  }
  ADD_FAILURE() << "no decision " << what;
  return {};
}

bool has(const OptimalPlan& plan, const std::string& what) {
  return std::any_of(plan.decisions.begin(), plan.decisions.end(),
                     [&](const Decision& one) { return one.what == what; });
}

TEST(PlanDecisions, SharingIsCountedOnBothSides) {
  const testing::PlannedProduct product(512, 512, 512);
  const OptimalPlan found = plan_optimally(product.inputs(), kLdm);
  const Decision a = decision(found, "read A");
  EXPECT_EQ(a.chosen, "by the cores of a row together");
  EXPECT_EQ(a.instead, "by each core");
  EXPECT_GT(a.instead_cycles, a.cycles);
  EXPECT_EQ(decision(found, "read B").chosen, "by the cores of a column together");
  EXPECT_FALSE(has(found, "read C"));
}

TEST(PlanDecisions, SoIsAPipelineAcrossLoops) {
  const testing::PlannedProduct product(1024, 1024, 1024);
  const OptimalPlan found = plan_optimally(product.inputs(), kLdm);
  ASSERT_TRUE(has(found, "pipeline of B"));
  const Decision b = decision(found, "pipeline of B");
  EXPECT_THAT(b.chosen, ::testing::HasSubstr("across the loops"));
  EXPECT_EQ(b.instead, "drained at the end of the innermost loop");
  EXPECT_GE(b.instead_cycles, b.cycles);
}

TEST(PlanDecisions, SoIsTheMicroKernel) {
  const testing::PlannedProduct product(512, 512, 512);
  const Decision inner = decision(plan_optimally(product.inputs(), kLdm), "inner product");
  EXPECT_EQ(inner.chosen, "a micro-kernel in assembly");
  EXPECT_EQ(inner.instead, "vectors of C");
  Means in_c;
  in_c.micro_kernels = false;
  EXPECT_DOUBLE_EQ(inner.instead_cycles, plan_optimally(product.inputs(), kLdm, in_c).cost.total());
}

TEST(PlanDecisions, WhatCannotBeSaysWhy) {
  const testing::PlannedProduct product(64, 63, 64);
  const Decision inner = decision(plan_optimally(product.inputs(), kLdm), "inner product");
  EXPECT_EQ(inner.chosen, "loops of C");
  EXPECT_EQ(inner.why_not, "no tile has whole vectors and fits");
}

TEST(PlanDecisions, NothingIsSaidOfWhatAPrimitiveRefused) {
  const testing::PlannedProduct product(512, 512, 512);
  Means means;
  means.micro_kernels = false;
  means.alone = {0};
  const OptimalPlan found = plan_optimally(product.inputs(), kLdm, means);
  EXPECT_FALSE(has(found, "read A"));
  EXPECT_TRUE(has(found, "read B"));
  EXPECT_FALSE(has(found, "inner product"));
}

TEST(PlanDecisions, AStageWithoutProductsSaysNothingOfThem) {
  testing::PlannedProduct product(512, 512, 512);
  product.body.is_product = false;
  EXPECT_FALSE(has(plan_optimally(product.inputs(), kLdm), "inner product"));
}

}  // namespace
}  // namespace solway::memory_planner
