#include "memory_planner/classify_loops.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

using Loops = std::vector<int>;

TEST(ClassifyLoops, WorkedExampleOfThePaper) {
  const StageModel stage = testing::matmul(1, 1024, 1024);
  const LoopClasses classes = LoopClassifier(stage).classify();
  EXPECT_EQ(classes.num, (Loops{0}));   // x
  EXPECT_EQ(classes.size, (Loops{1}));  // y
  EXPECT_EQ(classes.comp, (Loops{2}));  // k
}

TEST(ClassifyLoops, ACompleteDimensionLetsTheNextOneGrow) {
  const StageModel stage = testing::matmul(8, 16, 32);
  LoopClassifier classifier(stage);
  classifier.complete(1);  // y: B grows along k, C along x
  EXPECT_EQ(classifier.growing_dim(0), 0);
  EXPECT_EQ(classifier.growing_dim(1), 1);
  EXPECT_EQ(classifier.growing_dim(2), 1);
  const LoopClasses classes = classifier.classify();
  EXPECT_EQ(classes.comp, (Loops{0}));  // x: C's growing dimension, and A's higher one
  EXPECT_EQ(classes.size, (Loops{2}));
  EXPECT_TRUE(classes.num.empty());
}

TEST(ClassifyLoops, ADimensionOfTwoVariablesIsCompleteWithBoth) {
  const StageModel stage = testing::convolution();
  LoopClassifier classifier(stage);
  EXPECT_EQ(classifier.classify().size, (Loops{2, 5}));  // xx, rx
  classifier.complete(5);
  EXPECT_EQ(classifier.growing_dim(0), 0);
  EXPECT_EQ(classifier.growing_dim(1), 1);
  classifier.complete(2);
  EXPECT_EQ(classifier.growing_dim(0), 1);
  EXPECT_EQ(classifier.classify().size, (Loops{1, 4}));  // yy, ry
}

TEST(ClassifyLoops, ReopeningGoesBackToTheLowestDimensionOfTheLoop) {
  const StageModel stage = testing::matmul(8, 16, 32);
  LoopClassifier classifier(stage);
  classifier.complete(1);
  classifier.complete(2);
  EXPECT_EQ(classifier.growing_dim(1), 2);
  classifier.reopen(2);
  EXPECT_EQ(classifier.growing_dim(1), 1);
  EXPECT_EQ(classifier.growing_dim(0), 0);
  classifier.reopen(1);
  EXPECT_EQ(classifier.growing_dim(1), 0);
}

TEST(ClassifyLoops, NothingGrowsWhenAllIsInside) {
  const StageModel stage = testing::elementwise(8);
  LoopClassifier classifier(stage);
  classifier.complete(0);
  EXPECT_EQ(classifier.growing_dim(0), 1);
  const LoopClasses classes = classifier.classify();
  EXPECT_TRUE(classes.size.empty() && classes.comp.empty() && classes.num.empty());
}

TEST(ClassifyLoops, LoopsThatTheUserFixedAreNotClassified) {
  StageModel stage = testing::matmul(8, 16, 32);
  stage.loops[1].tiling = Tiling::Outside;
  const LoopClasses classes = LoopClassifier(stage).classify();
  EXPECT_EQ(classes.comp, (Loops{0}));
  EXPECT_EQ(classes.size, (Loops{2}));
}

TEST(ClassifyLoops, ALoopThatNoTensorDependsOnIsInNoClass) {
  StageModel stage = testing::elementwise(8);
  stage.loops.push_back(testing::reduce("k", 4));
  const LoopClasses classes = LoopClassifier(stage).classify();
  EXPECT_EQ(classes.size, (Loops{0}));
  EXPECT_TRUE(classes.comp.empty() && classes.num.empty());
}

}  // namespace
}  // namespace solway::memory_planner
