#include "memory_planner/optimal_planner.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_planner/body_model.h"
#include "memory_planner/compute_cost.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/micro_kernel_cost.h"
#include "memory_planner/shared_read_cost.h"

#include "tests/support/far_references.h"
#include "tests/unit/memory_planner/planned_product.h"

namespace solway::memory_planner {
namespace {

using ::testing::Contains;
using ::testing::Field;

constexpr Room kLdm{63488, 32};

using Product = testing::PlannedProduct;

std::vector<std::int64_t> divisors(std::int64_t size) {
  std::vector<std::int64_t> out;
  for (std::int64_t k = 1; k <= size; ++k) {
    if (size % k == 0) out.push_back(k);
  }
  return out;
}

/// The fewest cycles of all plans whose tiles and held sizes divide, by enumeration: on one core,
/// or on all of the mesh, with what its cores can share; in C, or with micro-kernels too.
class BruteForce {
 public:
  BruteForce(const Product& product, const Room& room) : product_(product), room_(room) {}

  double best() {
    NestPlan plan;
    for (const LoopModel& loop : product_.stage.loops) {
      plan.cuts.push_back({loop.extent, loop.extent, 1});
    }
    const Cores& cores = product_.target.cores;
    if (cores.mesh_rows > 0) {
      plan.parallel = {0, 1};
      plan.grid = {cores.mesh_rows, cores.mesh_columns};
      for (const std::size_t k : {0U, 1U}) plan.cuts[k].part /= plan.grid[k];
    }
    plan.depths = {1, 1, 1};
    plan.shared.assign(3, schedule::SharedBy::Core);
    choose(plan, 0);
    return best_;
  }

 private:
  void choose(NestPlan& plan, std::size_t loop) {
    if (loop == plan.cuts.size()) {
      for (const int vector : {-1, 1}) {
        plan.vector = vector;
        if (held_vectors(product_.stage, product_.body, plan, product_.target) > 0) order(plan);
      }
      plan.vector = -1;
      multiply(plan);
      return;
    }
    for (const std::int64_t tile : divisors(plan.cuts[loop].part)) {
      for (const std::int64_t held : divisors(tile)) {
        if (held > (loop == 2 ? 4 : 16)) continue;
        plan.cuts[loop].tile = tile;
        plan.cuts[loop].held = held;
        choose(plan, loop + 1);
      }
    }
  }

  void multiply(NestPlan& plan) {
    if (!has_micro_kernels(product_.target)) return;
    for (const LoopCut& cut : plan.cuts) {
      if (cut.held != 1) return;
    }
    for (const ProductForm& form : product_forms(product_.stage, product_.body)) {
      if (!fits_micro_kernel(product_.stage, plan, form)) continue;
      plan.micro_kernel = form;
      order(plan);
      plan.micro_kernel.reset();
    }
  }

  /// Each subset of the tensors that cores can read together.
  void share(NestPlan& plan) {
    for (int together = 0; together < 8; ++together) {
      bool is_possible = true;
      for (int t = 0; t < 3; ++t) {
        const auto by = (together >> t & 1) == 0
                            ? schedule::SharedBy::Core
                            : sharing_of(product_.stage, plan, t, product_.target);
        if ((together >> t & 1) != 0 && by == schedule::SharedBy::Core) is_possible = false;
        plan.shared[static_cast<std::size_t>(t)] = by;
      }
      if (!is_possible) continue;
      best_ = std::min(best_, cost_of(product_.inputs(), plan).total());
    }
    plan.shared.assign(3, schedule::SharedBy::Core);
  }

  void order(NestPlan& plan) {
    std::vector<int> loops;
    for (int k = 0; k < 2; ++k) {
      const LoopCut& cut = plan.cuts[static_cast<std::size_t>(k)];
      if (cut.tile < cut.part) loops.push_back(k);
    }
    do {
      plan.outer = loops;
      if (plan.cuts[2].tile < plan.cuts[2].part) plan.outer.push_back(2);
      for (int deep = 0; deep < 8; ++deep) {
        bool is_possible = true;
        for (int t = 0; t < 3; ++t) {
          const bool two = (deep >> t & 1) != 0;
          plan.depths[static_cast<std::size_t>(t)] = two ? 2 : 1;
          if (two && !can_overlap(product_.stage, plan, t)) is_possible = false;
        }
        if (!is_possible) continue;
        if (buffer_bytes(product_.stage, plan, room_.alignment_bytes) > room_.capacity_bytes) {
          continue;
        }
        share(plan);
      }
    } while (std::next_permutation(loops.begin(), loops.end()));
  }

  const Product& product_;
  Room room_;
  double best_ = std::numeric_limits<double>::infinity();
};

TEST(OptimalPlanner, ComesNearTheBestOfAllPlans) {
  for (const std::int64_t room : {1024, 2048, 8192}) {
    for (const auto& [m, n, depth] :
         {std::array<std::int64_t, 3>{16, 16, 32}, {8, 32, 16}, {4, 64, 24}}) {
      Product product(m, n, depth);
      product.target.cores.count = 1;
      product.target.cores.mesh_rows = product.target.cores.mesh_columns = 0;
      const OptimalPlan found = plan_optimally(product.inputs(), {room, 32});
      ASSERT_TRUE(found.plan.fits);
      const double best = BruteForce(product, {room, 32}).best();
      EXPECT_LE(found.cost.total(), 1.1 * best)
          << m << " x " << n << " x " << depth << " in " << room;
    }
  }
}

// With messages of cores, and with micro-kernels; the sides are small, so that all plans can be
// looked at.
TEST(OptimalPlanner, ComesNearTheBestOfAllPlansOnTheMesh) {
  for (const std::int64_t room : {1024, 4096}) {
    for (const auto& [m, n, depth] :
         {std::array<std::int64_t, 3>{64, 128, 16}, {128, 64, 12}, {32, 256, 16}}) {
      const Product product(m, n, depth);
      const OptimalPlan found = plan_optimally(product.inputs(), {room, 32});
      ASSERT_TRUE(found.plan.fits);
      const double best = BruteForce(product, {room, 32}).best();
      EXPECT_LE(found.cost.total(), 1.1 * best)
          << m << " x " << n << " x " << depth << " in " << room;
    }
  }
}

TEST(OptimalPlanner, IsNeverWorseThanGreedy) {
  for (const std::int64_t size : {1, 7, 64, 100, 512, 1000}) {
    const Product product(size, 256, 300);
    const OptimalPlan found = plan_optimally(product.inputs(), kLdm);
    const NestPlan greedy =
        plan_of(product.stage, plan_greedily(product.stage, kLdm, 64), kLdm, 64);
    EXPECT_LE(found.cost.total(), cost_of(product.inputs(), greedy).total()) << size;
  }
}

TEST(OptimalPlanner, StaysWithinTheRoom) {
  const Product product(512, 512, 512);
  for (const std::int64_t room : {512, 4096, 16384, 63488}) {
    const OptimalPlan found = plan_optimally(product.inputs(), {room, 32});
    ASSERT_TRUE(found.plan.fits) << room;
    EXPECT_LE(buffer_bytes(product.stage, found.plan, 32), room);
  }
  EXPECT_FALSE(plan_optimally(product.inputs(), {64, 32}).plan.fits);
}

TEST(OptimalPlanner, MoreRoomIsNeverWorse) {
  const Product product(256, 256, 256);
  double before = std::numeric_limits<double>::infinity();
  for (const std::int64_t room : {2048, 8192, 32768, 63488}) {
    const double now = plan_optimally(product.inputs(), {room, 32}).cost.total();
    EXPECT_LE(now, before) << room;
    before = now;
  }
}

// SUMMA: cores of the mesh read together, two regions, assembly.
TEST(OptimalPlanner, AProductIsSharedOnTheMesh) {
  const Product product(512, 512, 512);
  const OptimalPlan found = plan_optimally(product.inputs(), kLdm);
  EXPECT_EQ(found.plan.parallel, (std::vector<int>{0, 1}));
  EXPECT_TRUE(found.plan.micro_kernel);
  EXPECT_EQ(shared_by(found.plan, 0), schedule::SharedBy::Row);
  EXPECT_EQ(shared_by(found.plan, 1), schedule::SharedBy::Column);
  EXPECT_EQ(found.plan.depths[1], 2);
}

TEST(OptimalPlanner, WhatIsRefusedIsNoCandidate) {
  const Product product(512, 512, 512);
  Means means;
  means.micro_kernels = false;
  means.alone = {0, 1};
  const OptimalPlan found = plan_optimally(product.inputs(), kLdm, means);
  EXPECT_FALSE(found.plan.micro_kernel);
  EXPECT_EQ(found.plan.vector, 1);
  EXPECT_EQ(shared_by(found.plan, 0), schedule::SharedBy::Core);
  EXPECT_EQ(shared_by(found.plan, 1), schedule::SharedBy::Core);
  EXPECT_GT(found.cost.total(), plan_optimally(product.inputs(), kLdm).cost.total());
}

TEST(OptimalPlanner, TheFormThatIsAskedForIsTakenAndTheOtherOneCounted) {
  const Product product(512, 512, 512);
  Means in_c;
  in_c.inner = InnerProduct::LoopsOfC;
  Means in_assembly;
  in_assembly.inner = InnerProduct::Assembly;
  const OptimalPlan c = plan_optimally(product.inputs(), kLdm, in_c);
  const OptimalPlan assembly = plan_optimally(product.inputs(), kLdm, in_assembly);
  EXPECT_FALSE(c.plan.micro_kernel);
  EXPECT_TRUE(assembly.plan.micro_kernel);
  EXPECT_LT(assembly.cost.total(), c.cost.total());
  Means without;
  without.micro_kernels = false;
  EXPECT_DOUBLE_EQ(c.cost.total(), plan_optimally(product.inputs(), kLdm, without).cost.total());
  const auto inner = std::find_if(c.decisions.begin(), c.decisions.end(),
                                  [](const Decision& d) { return d.what == "inner product"; });
  ASSERT_NE(inner, c.decisions.end());
  EXPECT_EQ(inner->chosen, "loops of C");
  EXPECT_NEAR(inner->instead_cycles, assembly.drained_cycles, 0.01 * assembly.drained_cycles);
}

TEST(OptimalPlanner, AssemblyThatDoesNotFitLeavesTheGreedyPlan) {
  const Product product(63, 63, 64);
  Means means;
  means.inner = InnerProduct::Assembly;
  const OptimalPlan found = plan_optimally(product.inputs(), kLdm, means);
  EXPECT_FALSE(found.plan.micro_kernel);
  EXPECT_TRUE(found.plan.fits);
  EXPECT_TRUE(std::isfinite(found.cost.total()));
  Product sum(64, 64, 64);
  sum.body.is_product = false;  // no product: loops of C it is
  const OptimalPlan of_sum = plan_optimally(sum.inputs(), kLdm, means);
  EXPECT_DOUBLE_EQ(of_sum.cost.total(), plan_optimally(sum.inputs(), kLdm).cost.total());
}

TEST(OptimalPlanner, WhatHasNoBufferIsCountedInMainMemory) {
  const Product product(64, 64, 64);
  const OptimalPlan best = plan_optimally(product.inputs(), kLdm);
  Means means;
  means.direct = {1};
  const OptimalPlan found = plan_optimally(product.inputs(), kLdm, means);
  EXPECT_EQ(found.plan.depths[1], 0);
  EXPECT_GT(found.plan.depths[0], 0);
  EXPECT_FALSE(found.plan.micro_kernel);
  EXPECT_GT(found.cost.total(), 10 * best.cost.total());  // gld for each term
  const auto at_b = std::find_if(found.decisions.begin(), found.decisions.end(),
                                 [](const Decision& d) { return d.what == "stage B"; });
  ASSERT_NE(at_b, found.decisions.end());
  EXPECT_EQ(at_b->chosen, "accessed in main memory");
  EXPECT_EQ(at_b->why_not, "no buffer of it can be made");
}

TEST(OptimalPlanner, ALoopOfOneIterationPerTile) {
  const Product product(96, 64, 64);
  for (const int loop : {0, 1}) {
    Means means;
    means.single = {loop};
    const OptimalPlan found = plan_optimally(product.inputs(), kLdm, means);
    const LoopCut& cut = found.plan.cuts[static_cast<std::size_t>(loop)];
    EXPECT_TRUE(found.plan.fits);
    EXPECT_EQ(cut.tile, 1);
    EXPECT_EQ(cut.held, 1);
    EXPECT_NE(found.plan.vector, loop);
    const auto& outer = found.plan.outer;
    EXPECT_EQ(std::find(outer.begin(), outer.end(), loop) != outer.end(), cut.part > 1);
  }
}

TEST(OptimalPlanner, BothSidesOfEachDecisionAreCounted) {
  const Product product(512, 512, 512);
  const OptimalPlan found = plan_optimally(product.inputs(), kLdm);
  EXPECT_THAT(found.decisions, Contains(Field(&Decision::what, "stage A")));
  EXPECT_THAT(found.decisions, Contains(Field(&Decision::what, "double-buffer B")));
  EXPECT_THAT(found.decisions, Contains(Field(&Decision::what, "inner product")));
  for (const Decision& decision : found.decisions) {
    EXPECT_TRUE(decision.instead_cycles >= decision.cycles || !decision.why_not.empty())
        << decision.what;
  }
}

TEST(OptimalPlanner, TwinsAreMovedInOneWayAndCostNoSearch) {
  std::vector<std::int64_t> evaluated;
  for (const std::vector<std::int64_t>& far :
       {std::vector<std::int64_t>{0, 4096}, std::vector<std::int64_t>{0, 4096, 8192, 12288}}) {
    const schedule::State state = schedule::make_state({samples::sum_of_points(4096, far)}, {});
    Decided decided;
    decided.apart["Y"] = {"X"};
    const PlannedStage stage = extract_stage(state, "Y", {}, decided);
    const Target target = load_target("sw26010", {});
    const BodyModel body = model_body(state, stage.model, target);
    const CostInputs in{&stage.model, &body, &target, target.engine_or_null("ldm")};
    const OptimalPlan found = plan_optimally(in, kLdm);
    ASSERT_TRUE(found.plan.fits);
    ASSERT_EQ(found.plan.depths.size(), far.size() + 1);
    for (std::size_t t = 1; t < far.size(); ++t) {
      EXPECT_EQ(found.plan.depths[t], found.plan.depths[0]);
      EXPECT_EQ(shared_by(found.plan, static_cast<int>(t)), shared_by(found.plan, 0));
    }
    evaluated.push_back(found.evaluated);
  }
  EXPECT_LT(evaluated[1], 3 * evaluated[0]);
}

}  // namespace
}  // namespace solway::memory_planner
