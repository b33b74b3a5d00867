#include "memory_planner/plan_memo.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/planned_product.h"

namespace solway::memory_planner {
namespace {

using testing::PlannedProduct;

const Room kLdm{60000, 32};

TEST(PlanMemo, SearchesOnceForEqualStages) {
  PlanMemo memo;
  const PlannedProduct product(128, 128, 128);
  const OptimalPlan first = memo.plan(product.inputs(), kLdm);
  PlannedProduct same(128, 128, 128);  // described anew
  CostInputs in = same.inputs();
  in.target = &product.target;
  const OptimalPlan again = memo.plan(in, kLdm);
  EXPECT_EQ(memo.searches(), 1U);
  const OptimalPlan searched = plan_optimally(product.inputs(), kLdm);
  for (const OptimalPlan& plan : {first, again}) {
    EXPECT_EQ(plan.cost.total(), searched.cost.total());
    EXPECT_EQ(plan.plan.outer, searched.plan.outer);
    EXPECT_EQ(plan.plan.bytes, searched.plan.bytes);
    EXPECT_EQ(plan.decisions.size(), searched.decisions.size());
  }
}

TEST(PlanMemo, AllItsPlansHaveOneFormOfInnerProducts) {
  PlanMemo memo(InnerProduct::LoopsOfC);
  const PlannedProduct product(128, 128, 128);
  EXPECT_FALSE(memo.plan(product.inputs(), kLdm).plan.micro_kernel);
  EXPECT_TRUE(PlanMemo().plan(product.inputs(), kLdm).plan.micro_kernel);
}

TEST(PlanMemo, WhatDiffersIsSearchedFor) {
  PlanMemo memo;
  const PlannedProduct product(128, 128, 128);
  memo.plan(product.inputs(), kLdm);
  PlannedProduct deeper(128, 128, 256);
  PlannedProduct slower(128, 128, 128);
  slower.body.accumulate_cycles = 9;
  PlannedProduct other(128, 128, 128);  // of another target
  for (const PlannedProduct* one : {&deeper, &slower}) {
    CostInputs in = one->inputs();
    in.target = &product.target;
    memo.plan(in, kLdm);
  }
  memo.plan(other.inputs(), kLdm);
  memo.plan(product.inputs(), {30000, 32});
  Means in_c;
  in_c.micro_kernels = false;
  const OptimalPlan without = memo.plan(product.inputs(), kLdm, in_c);
  EXPECT_FALSE(without.plan.micro_kernel);
  EXPECT_EQ(memo.searches(), 6U);
}

}  // namespace
}  // namespace solway::memory_planner
