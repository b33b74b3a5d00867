#include "memory_planner/vector_decisions.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "memory_planner/vector_plan_cost.h"

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

VectorPlan best(const VectorStage& stage, const Target& machine) {
  return plan_vectors(stage, machine, 4).front();
}

std::vector<Decision> of(const std::vector<Decision>& all, const std::string& what) {
  std::vector<Decision> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out),
               [&](const Decision& d) { return d.what == what; });
  return out;
}

TEST(VectorDecisions, GiveBothSides) {
  const Target machine = testing::vector_machine();
  const VectorStage stage = testing::product(96, 128, 256);
  const auto decisions = vector_decisions(stage, machine, best(stage, machine));
  ASSERT_GE(decisions.size(), 2U);
  for (const Decision& decision : decisions) {
    EXPECT_LT(decision.cycles, decision.instead_cycles) << decision.what;
  }
}

TEST(VectorDecisions, NameTheProductsOfBytesThatAreAddedAtOnce) {
  const Target machine = testing::vector_machine_with_dots();
  const VectorStage stage = describe_stage(testing::product_of_bytes(96, 128, 254), "C", machine);
  const auto decisions = vector_decisions(stage, machine, best(stage, machine));
  EXPECT_EQ(of(decisions, "terms of k").size(), 1U);
}

TEST(VectorDecisions, OfEachPanelTheOthersStay) {
  const Target machine = testing::vector_machine();
  VectorStage stage = testing::product(96, 128, 256);
  for (VectorAccess& access : stage.accesses) access.is_half = !access.is_written;
  const VectorPlan plan = best(stage, machine);
  ASSERT_EQ(plan.panels.size(), 2U);
  const auto decisions = vector_decisions(stage, machine, plan);
  for (const Panel& panel : plan.panels) {
    VectorPlan one = plan;
    std::erase_if(one.panels, [&](const Panel& other) { return other.array == panel.array; });
    const auto made = of(decisions, "panels of " + panel.array);
    ASSERT_EQ(made.size(), 1U);
    EXPECT_EQ(made[0].instead_cycles, cycles_of(stage, one, caches_of(machine)));
  }
}

TEST(VectorDecisions, NameTheLinesThatAreAskedForEarly) {
  const Target machine = testing::vector_machine();
  const VectorStage stage = testing::product(960, 128, 256);
  const auto made = of(vector_decisions(stage, machine, best(stage, machine)), "lines of B");
  ASSERT_EQ(made.size(), 1U);
  EXPECT_LT(made[0].cycles, made[0].instead_cycles);
}

TEST(VectorDecisions, DescribeWhatRegistersHold) {
  const VectorStage stage = testing::product(96, 128, 256);
  VectorPlan plan = best(stage, testing::vector_machine());
  plan.vector = -1;
  plan.held = {1, 1, 1};
  EXPECT_EQ(describe_tile(stage, plan), "one element");
  plan.held = {6, 1, 1};
  EXPECT_EQ(describe_tile(stage, plan), "6 of " + stage.loops[0].name);
}

}  // namespace
}  // namespace solway::memory_planner
