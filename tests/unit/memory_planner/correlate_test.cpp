#include "memory_planner/correlate.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

TEST(Correlate, MatmulTensorsDependOnTheirIndices) {
  const auto sets = correlate(testing::matmul(1, 1024, 1024));
  EXPECT_EQ(sets[0], (std::set<int>{0, 2}));
  EXPECT_EQ(sets[1], (std::set<int>{1, 2}));
  EXPECT_EQ(sets[2], (std::set<int>{0, 1}));
}

TEST(Correlate, AnIndexOfSeveralVariablesDependsOnEach) {
  const auto sets = correlate(testing::convolution());
  EXPECT_EQ(sets[0], (std::set<int>{1, 2, 3, 4, 5}));
  EXPECT_EQ(sets[1], (std::set<int>{0, 3, 4, 5}));
}

TEST(Correlate, AConstantIndexDependsOnNone) {
  StageModel stage = testing::elementwise(8);
  stage.tensors[0].dims = {DimModel{}};
  EXPECT_TRUE(correlate(stage)[0].empty());
}

}  // namespace
}  // namespace solway::memory_planner
