#include "memory_planner/tensor_ways.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "memory_planner/shared_read_cost.h"
#include "memory_planner/sliding_cost.h"

#include "tests/unit/memory_planner/planned_product.h"

namespace solway::memory_planner {
namespace {

using schedule::SharedBy;

bool are_equal(const TensorCost& a, const TensorCost& b) {
  return a.my_parts == b.my_parts && a.rounds == b.rounds && a.series == b.series &&
         a.requests == b.requests && a.cut == b.cut && a.rows == b.rows &&
         a.directions == b.directions && a.got == b.got && a.put == b.put &&
         a.get_start == b.get_start && a.put_start == b.put_start && a.exchanging == b.exchanging &&
         a.unused == b.unused;
}

/// Holds what is known of a tensor against what the model says of the plan as it is.
void expect_as_counted(const CostInputs& in, TensorWays& known, NestPlan& plan, int tensor) {
  const TensorWays::Ways& ways = known.of(plan, tensor);
  ASSERT_FALSE(ways.all.empty());
  EXPECT_EQ(ways.all[0].by, SharedBy::Core);
  EXPECT_FALSE(ways.all[0].slides);
  const std::size_t slides = tile_overlap(*in.stage, plan, tensor) ? 1 : 0;
  const SharedBy by = sharing_of(*in.stage, plan, tensor, *in.target);
  EXPECT_EQ(ways.all.size(), 1 + slides + (by != SharedBy::Core ? 1 : 0));
  const auto t = static_cast<std::size_t>(tensor);
  for (const TensorWay& way : ways.all) {
    NestPlan own = plan;
    own.shared[t] = way.by;
    own.slides[t] = way.slides;
    EXPECT_TRUE(are_equal(way.cost, tensor_cost(in, own, tensor)));
    EXPECT_LE(ways.least.moving, way.cost.got + way.cost.put);
  }
  EXPECT_EQ(plan.shared[t], SharedBy::Core);
  EXPECT_FALSE(plan.slides[t]);
}

/// All tiles of `sizes` and all orders of the loops over them, those of reductions inside.
void expect_as_counted(const CostInputs& in, TensorWays& known, NestPlan plan,
                       const std::vector<std::vector<std::int64_t>>& sizes, std::size_t next = 0) {
  if (next < sizes.size()) {
    for (const std::int64_t size : sizes[next]) {
      plan.cuts[next].tile = size;
      expect_as_counted(in, known, plan, sizes, next + 1);
    }
    return;
  }
  known.begin_tiles();
  std::vector<int> loops, last;
  for (int k = 0; k < static_cast<int>(plan.cuts.size()); ++k) {
    const LoopCut& cut = plan.cuts[static_cast<std::size_t>(k)];
    const bool is_spatial =
        in.stage->loops[static_cast<std::size_t>(k)].kind == dsl::AxisKind::Spatial;
    if (cut.tile < cut.part) (is_spatial ? loops : last).push_back(k);
  }
  do {
    plan.outer = loops;
    plan.outer.insert(plan.outer.end(), last.begin(), last.end());
    for (int t = 0; t < static_cast<int>(in.stage->tensors.size()); ++t) {
      expect_as_counted(in, known, plan, t);
    }
  } while (std::next_permutation(loops.begin(), loops.end()));
}

NestPlan whole(const StageModel& stage) {
  NestPlan out;
  for (const LoopModel& loop : stage.loops) out.cuts.push_back({loop.extent, loop.extent, 1});
  out.depths.assign(stage.tensors.size(), 1);
  out.shared.assign(stage.tensors.size(), SharedBy::Core);
  out.slides.assign(stage.tensors.size(), false);
  return out;
}

TEST(TensorWays, AreThoseOfEachPlan) {
  const testing::PlannedProduct product(64, 128, 96);
  const CostInputs in = product.inputs();
  TensorWays known(in, {});
  for (const bool is_mesh : {true, false}) {
    known.begin_form();
    NestPlan plan = whole(product.stage);
    if (is_mesh) {
      plan.parallel = {0, 1};
      plan.grid = {8, 8};
      plan.cuts[0].part = 8;
      plan.cuts[1].part = 16;
    } else {
      plan.parallel = {1};
      plan.grid[0] = 64;
      plan.cuts[1].part = 2;
    }
    expect_as_counted(in, known, plan,
                      is_mesh ? std::vector<std::vector<std::int64_t>>{{1, 4, 8}, {4, 16}, {8, 96}}
                              : std::vector<std::vector<std::int64_t>>{{8, 64}, {1, 2}, {32, 96}});
  }
}

TEST(TensorWays, TilesOfAWindowSlide) {
  testing::PlannedProduct product(1, 1, 1);
  product.stage = testing::window(16, 32, 8);
  product.body.shapes = {{8, 34, 34}, {16, 8, 3, 3}, {16, 32, 32}};
  const CostInputs in = product.inputs();
  TensorWays known(in, {});
  known.begin_form();
  expect_as_counted(in, known, whole(product.stage), {{4, 16}, {2, 32}, {8, 32}, {4, 8}, {3}, {3}});
}

TEST(TensorWays, WhatWasRefusedIsNoWay) {
  const testing::PlannedProduct product(64, 64, 64);
  const CostInputs in = product.inputs();
  NestPlan plan = whole(product.stage);
  plan.parallel = {0, 1};
  plan.grid = {8, 8};
  plan.cuts[0].part = plan.cuts[1].part = plan.cuts[0].tile = plan.cuts[1].tile = 8;
  TensorWays all(in, {});
  Means means;
  means.alone = {0};
  TensorWays apart(in, means);
  EXPECT_EQ(all.of(plan, 0).all.size(), 2U);
  EXPECT_EQ(apart.of(plan, 0).all.size(), 1U);
  EXPECT_EQ(apart.of(plan, 1).all.size(), 2U);
}

TEST(TensorWays, TwinsAreListedWithTheFirstOfThem) {
  const testing::PlannedProduct product(64, 64, 64);
  StageModel stage = *product.inputs().stage;
  using Lists = std::vector<std::vector<int>>;
  EXPECT_EQ(twins_of(stage, {}), (Lists{{0}, {1}, {2}}));
  stage.tensors[1] = stage.tensors[0];
  stage.tensors[0].references = {0};
  stage.tensors[1].references = {1};
  EXPECT_EQ(twins_of(stage, {}), (Lists{{0, 1}, {2}}));
  Means means;
  means.direct = {1};
  EXPECT_EQ(twins_of(stage, means), (Lists{{0}, {1}, {2}}));
  means.direct.clear();
  means.alone = {0};
  EXPECT_EQ(twins_of(stage, means), (Lists{{0}, {1}, {2}}));
}

}  // namespace
}  // namespace solway::memory_planner
