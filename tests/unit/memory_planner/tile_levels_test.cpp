#include "memory_planner/tile_levels.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_planner/reread_cost.h"

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::memory_planner {
namespace {

using ::testing::ElementsAre;

/// Loops over tiles of C[f, p, v], "*" behind those over groups.
std::vector<std::string> levels(const VectorStage& stage, const VectorPlan& plan) {
  std::vector<std::string> out;
  for (const TileLevel& level : tile_levels(stage, plan)) {
    const std::string name = stage.loops[static_cast<std::size_t>(level.loop)].name;
    out.push_back(name + (level.is_of_groups ? "*" : "") + " " +
                  std::to_string(static_cast<int>(level.iterations)));
  }
  return out;
}

TEST(TileLevels, OfTilesInTheOrderOfThePlan) {
  const VectorStage stage = testing::pixels(16, 3136, 4);
  EXPECT_THAT(levels(stage, testing::tiles_of_pixels({0, 1, 2})),
              ElementsAre("f 2", "p 224", "v 1"));
}

TEST(TileLevels, GroupsStandAroundAllFreeLoops) {
  VectorStage stage = testing::pixels(16, 3136, 4);
  VectorPlan plan = testing::tiles_of_pixels({0, 1, 2});
  plan.groups = {1, 10};
  EXPECT_THAT(levels(stage, plan), ElementsAre("p* 23", "f 2", "p 10", "v 1"));
  stage.loops[0].tiling = Tiling::Outside;
  EXPECT_THAT(levels(stage, plan), ElementsAre("f 2", "p* 23", "p 10", "v 1"));
}

TEST(TileLevels, WhatAGroupReadsDoesNotComeAgain) {
  const VectorStage stage = testing::pixels(16, 3136, 4);  // X has 3.2 MB of 1 MB
  const CacheModel caches = caches_of(testing::vector_machine());
  VectorPlan plan = testing::tiles_of_pixels({0, 1, 2});
  EXPECT_GT(order_cycles(stage, plan, caches), 16.0 * 3135 * 8);
  plan.groups = {1, 8};  // of X 115 KB
  EXPECT_LT(order_cycles(stage, plan, caches), 16.0 * 3136 * 8);
}

}  // namespace
}  // namespace solway::memory_planner
