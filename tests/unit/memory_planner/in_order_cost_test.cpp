#include "memory_planner/in_order_cost.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/planned_product.h"

namespace solway::memory_planner {
namespace {

/// C[t, j] for `steps` times, as if each needed the row before.
struct Steps {
  explicit Steps(std::int64_t steps) : product(steps, 640, 8) {
    product.body.is_reduction = product.body.is_product = false;
    plan.choice.tiles = {1, 10, 8};
    plan.outer = {0, 1};
    plan.inner = {2};
    plan.parallel = 1;
    plan.steps = 1;
  }

  double cycles() const { return in_order_cycles(product.inputs(), plan, {1, 1, 1}); }

  testing::PlannedProduct product;
  StagePlan plan;
};

TEST(InOrderCost, EachStepIsPaidFor) {
  const double four = Steps(4).cycles();
  const double eight = Steps(8).cycles();
  EXPECT_GT(eight, 1.8 * four);
  EXPECT_LT(eight, 2.1 * four);
}

TEST(InOrderCost, ABarrierBeforeEachStep) {
  Steps steps(4);
  const double before = steps.cycles();
  steps.product.target.timing->barrier_cycles += 1000;
  EXPECT_EQ(steps.cycles(), before + 4000);
  steps.plan.steps = 0;
  steps.plan.parallel = -1;
  const double alone = steps.cycles();
  steps.product.target.timing->barrier_cycles += 1000;
  EXPECT_EQ(steps.cycles(), alone);
}

TEST(InOrderCost, WhatIsWrittenMovesInEachStep) {
  Steps steps(4);
  const CostInputs in = steps.product.inputs();
  const double all = in_order_cycles(in, steps.plan, {1, 1, 1});
  // C[t] leaves in each step, wherever its first index is: it is tied to the loop around.
  for (DimModel& dim : steps.product.stage.tensors[2].dims) {
    std::erase_if(dim.terms, [](const IndexTerm& term) { return term.loop == 0; });
  }
  EXPECT_EQ(in_order_cycles(steps.product.inputs(), steps.plan, {1, 1, 1}), all);
}

TEST(InOrderCost, LanesLieSideBySide) {
  testing::PlannedProduct product(64, 64, 8);
  StagePlan plan;
  plan.inner = {0, 1, 2};
  EXPECT_EQ(innermost_lanes(product.inputs(), plan), -1);  // the terms of a sum
  product.stage.loops.pop_back();
  for (TensorModel& tensor : product.stage.tensors) {
    for (DimModel& dim : tensor.dims) {
      std::erase_if(dim.terms, [](const IndexTerm& term) { return term.loop == 2; });
    }
  }
  plan.inner = {0, 1};
  EXPECT_EQ(innermost_lanes(product.inputs(), plan), 1);
  plan.inner = {0};
  EXPECT_EQ(innermost_lanes(product.inputs(), plan), -1);
  plan.inner = {0, 1};
  product.body.no_vector = "a call";
  EXPECT_EQ(innermost_lanes(product.inputs(), plan), -1);
}

}  // namespace
}  // namespace solway::memory_planner
