#include "memory_planner/plan_forms.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "memory_planner/compute_cost.h"

#include "tests/unit/memory_planner/planned_product.h"

namespace solway::memory_planner {
namespace {

using Sizes = std::vector<std::int64_t>;

/// The form whose parallel loops are these.
NestPlan on(const PlanForms& forms, const std::vector<int>& loops) {
  for (const NestPlan& plan : forms.parallel_forms()) {
    if (plan.parallel == loops) return plan;
  }
  ADD_FAILURE() << "no such form";
  return {};
}

TEST(PlanForms, LoopsOfAReductionAreNeverParallel) {
  const testing::PlannedProduct product(64, 64, 64);
  const CostInputs in = product.inputs();
  for (const NestPlan& plan : PlanForms(in).parallel_forms()) {
    for (const int loop : plan.parallel) EXPECT_NE(loop, 2);
  }
}

TEST(PlanForms, LoopsThatTheUserRunsOnCoresAreTheOnlyOnes) {
  testing::PlannedProduct product(512, 64, 64);
  product.stage.loops[0].is_parallel = true;
  product.stage.loops[0].tiling = Tiling::Outside;
  const CostInputs in = product.inputs();
  const PlanForms forms(in);
  const std::vector<NestPlan> found = forms.parallel_forms();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].parallel, std::vector<int>{0});
  EXPECT_EQ(found[0].grid[0], 64);
  EXPECT_EQ(found[0].cuts[0].part, 1);
  EXPECT_TRUE(forms.forms_on_several_rows().empty());
}

TEST(PlanForms, OnAGridEachLoopHasTheCoresOfTheUser) {
  testing::PlannedProduct product(4, 64, 64);
  for (const int k : {0, 1}) {
    product.stage.loops[static_cast<std::size_t>(k)].is_parallel = true;
    product.stage.loops[static_cast<std::size_t>(k)].tiling = Tiling::Outside;
  }
  product.stage.loops[1].cores = 5;
  const CostInputs in = product.inputs();
  const std::vector<NestPlan> found = PlanForms(in).parallel_forms();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].grid, (std::array<std::int64_t, 2>{4, 5}));
}

TEST(PlanForms, WhatTheUserHoldsIsHeldWhole) {
  testing::PlannedProduct product(8, 16, 64);
  product.stage.loops[0].held = HeldBy::Unrolled;
  product.stage.loops[1].held = HeldBy::Vectors;
  for (const std::size_t k : {0U, 1U}) product.stage.loops[k].tiling = Tiling::Inside;
  const CostInputs in = product.inputs();
  const PlanForms forms(in);
  const NestPlan cores = forms.parallel_forms().back();
  const std::vector<NestPlan> found = forms.held_forms(cores);
  ASSERT_FALSE(found.empty());
  for (const NestPlan& plan : found) {
    EXPECT_EQ(plan.vector, 1);
    EXPECT_EQ(plan.cuts[0].held, 8);
    EXPECT_EQ(plan.cuts[1].held, 16);
  }
  EXPECT_TRUE(forms.micro_kernel_forms(cores).empty());
}

TEST(PlanForms, VectorsAlongWhatDoesNotLieSideBySideAreNotCounted) {
  testing::PlannedProduct product(16, 16, 64);
  product.stage.loops[0].held = HeldBy::Vectors;
  product.stage.loops[0].tiling = Tiling::Inside;
  const CostInputs in = product.inputs();
  const PlanForms forms(in);
  EXPECT_TRUE(forms.held_forms(forms.parallel_forms().back()).empty());
}

TEST(PlanForms, ASplitSaysWhatATileHolds) {
  testing::PlannedProduct product(64, 64, 64);
  product.stage.loops[0].tiling = Tiling::Outside;
  product.stage.loops[1].tiling = Tiling::Inside;
  const CostInputs in = product.inputs();
  const PlanForms forms(in);
  for (const NestPlan& plan : forms.parallel_forms()) {
    EXPECT_EQ(forms.tile_sizes(plan, 0), Sizes{1});
    EXPECT_EQ(forms.tile_sizes(plan, 1), Sizes{64});
    for (const int loop : plan.parallel) EXPECT_EQ(loop, 0);
  }
}

TEST(PlanForms, InAnOrderThatStaysOnlyTheFirstLoopsRunOnCores) {
  const testing::PlannedProduct product(64, 64, 64);
  const CostInputs in = product.inputs();
  Means means;
  means.keeps_order = true;
  const PlanForms forms(in, means);
  for (const NestPlan& plan : forms.parallel_forms()) {
    EXPECT_TRUE(plan.parallel.empty() || plan.parallel.front() == 0);
  }
  EXPECT_TRUE(forms.forms_on_several_rows().empty());
}

TEST(PlanForms, AProductHasAFormForAMicroKernel) {
  const testing::PlannedProduct product(64, 64, 64);
  const CostInputs in = product.inputs();
  const PlanForms forms(in);
  const auto found = forms.micro_kernel_forms(on(forms, {0, 1}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].micro_kernel->columns, 1);
}

TEST(PlanForms, NotWherePartsHaveTwoSizes) {
  const testing::PlannedProduct product(65, 64, 64);
  const CostInputs in = product.inputs();
  const PlanForms forms(in);
  EXPECT_TRUE(forms.micro_kernel_forms(on(forms, {0, 1})).empty());
}

std::vector<NestPlan> on_several_rows(const testing::PlannedProduct& product) {
  const CostInputs in = product.inputs();
  return PlanForms(in).forms_on_several_rows();
}

TEST(PlanForms, SeveralRowsHaveOnePartWhereThatIsLessWork) {
  // 2 x 48 leave a row idle; 4 x 24 are as much work, 7 x 12 are less.
  const auto found = on_several_rows(testing::PlannedProduct(13, 384, 64));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].parallel, (std::vector<int>{0, 1}));
  EXPECT_EQ(found[0].rows_of_part, 4);
  EXPECT_EQ(found[0].cuts[0].part, 7);
  EXPECT_EQ(found[0].cuts[1].part, 12);
  EXPECT_EQ(found[0].grid, (std::array<std::int64_t, 2>{2, 32}));
  EXPECT_EQ(mesh_of(found[0]), (std::array<std::int64_t, 2>{8, 8}));
}

TEST(PlanForms, TheLoopOnRowsAndColumnsMayBeTheFirst) {
  const auto found = on_several_rows(testing::PlannedProduct(384, 13, 64));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].parallel, (std::vector<int>{1, 0}));
}

TEST(PlanForms, NotWhereRowsAreFullOrPartsHaveTwoSizes) {
  EXPECT_TRUE(on_several_rows(testing::PlannedProduct(16, 384, 64)).empty());
  EXPECT_TRUE(on_several_rows(testing::PlannedProduct(13, 380, 64)).empty());
}

TEST(PlanForms, NorOnAnotherMachine) {
  testing::PlannedProduct product(64, 64, 64);
  product.target = load_target("sw26010pro", {});
  const CostInputs in = product.inputs();
  const PlanForms forms(in);
  EXPECT_TRUE(forms.micro_kernel_forms(on(forms, {0, 1})).empty());
}

TEST(PlanForms, WhatAMicroKernelMultipliesHasNoRemainder) {
  const testing::PlannedProduct product(8 * 24, 8 * 24, 100);
  const CostInputs in = product.inputs();
  const PlanForms forms(in);
  const NestPlan plan = forms.micro_kernel_forms(on(forms, {0, 1})).at(0);
  EXPECT_EQ(forms.tile_sizes(plan, 0), (Sizes{1, 2, 3, 4, 6, 8, 12, 24}));
  EXPECT_EQ(forms.tile_sizes(plan, 1), (Sizes{4, 8, 12, 24}));
  EXPECT_EQ(forms.tile_sizes(plan, 2), (Sizes{1, 2, 4, 5, 10, 20, 25, 50, 100}));
}

/// A[i, k] B[j, k], whose operands lie side by side along k.
testing::PlannedProduct rows_of_both(std::int64_t depth) {
  testing::PlannedProduct out(64, 64, depth);
  std::swap(out.stage.tensors[1].dims[0], out.stage.tensors[1].dims[1]);
  return out;
}

TEST(PlanForms, LanesMayBeTermsOfAReduction) {
  const testing::PlannedProduct product = rows_of_both(64);
  const CostInputs in = product.inputs();
  const PlanForms forms(in);
  bool is_found = false;
  for (const NestPlan& plan : forms.held_forms(on(forms, {}))) {
    if (!runs_across(product.stage, plan)) continue;
    is_found = true;
    EXPECT_GE(plan.cuts[2].held, 8);
    EXPECT_EQ(64 % plan.cuts[2].held, 0);
    EXPECT_EQ(plan.cuts[0].held * plan.cuts[1].held, 1);
  }
  EXPECT_TRUE(is_found);
}

TEST(PlanForms, NotWhereTermsLieApartOrFillNoVectors) {
  for (const auto& product : {testing::PlannedProduct(64, 64, 64), rows_of_both(7)}) {
    const CostInputs in = product.inputs();
    const PlanForms forms(in);
    for (const NestPlan& plan : forms.held_forms(on(forms, {}))) {
      EXPECT_FALSE(runs_across(product.stage, plan));
    }
  }
}

TEST(PlanForms, RowsThatAreCutAreHeldWhole) {
  testing::PlannedProduct product(64, 30, 64);
  product.body.cuts_rows = true;
  const CostInputs in = product.inputs();
  const PlanForms forms(in);
  int vectors = 0;
  for (const NestPlan& plan : forms.held_forms(on(forms, {0}))) {
    if (plan.vector < 0) continue;
    ++vectors;
    EXPECT_EQ(plan.vector, 1);
    EXPECT_EQ(plan.cuts[1].held, 30);
    EXPECT_EQ(forms.tile_sizes(plan, 1), (Sizes{30}));
  }
  EXPECT_GT(vectors, 0);
}

TEST(PlanForms, TermsOfAProductAreUnrolledWhereTheyDivideAndLieNear) {
  const auto copies = [](const testing::PlannedProduct& product) {
    const CostInputs in = product.inputs();
    const PlanForms forms(in);
    std::vector<std::int64_t> out;
    for (const NestPlan& plan : forms.held_forms(on(forms, {}))) {
      if (plan.vector >= 0 && held_vectors(*in.stage, *in.body, plan, *in.target) > 0) {
        out.push_back(plan.cuts[2].held);
      }
    }
    return out;
  };
  const auto all_are = [&](const testing::PlannedProduct& product, std::int64_t expected) {
    const std::vector<std::int64_t> found = copies(product);
    return !found.empty() && std::all_of(found.begin(), found.end(),
                                         [&](std::int64_t one) { return one == expected; });
  };
  EXPECT_TRUE(all_are(testing::PlannedProduct(64, 64, 64), 4));
  EXPECT_TRUE(all_are(testing::PlannedProduct(64, 64, 62), 2));
  EXPECT_TRUE(all_are(testing::PlannedProduct(64, 64, 61), 1));
  EXPECT_TRUE(all_are(testing::PlannedProduct(64, 1024, 64), 1));  // rows of B lie 4 KB apart
}

TEST(PlanForms, RegistersHoldWholeVectors) {
  const testing::PlannedProduct product(64, 64, 64);
  const CostInputs in = product.inputs();
  const PlanForms forms(in);
  for (const NestPlan& plan : forms.held_forms(on(forms, {}))) {
    if (plan.vector >= 0) {
      EXPECT_EQ(plan.cuts[1].held % 4, 0);
    }
    EXPECT_FALSE(plan.micro_kernel);
  }
}

}  // namespace
}  // namespace solway::memory_planner
