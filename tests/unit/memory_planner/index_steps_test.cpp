#include "memory_planner/index_steps.h"

#include <gtest/gtest.h>

#include "tests/support/grouped_sums.h"

namespace solway::memory_planner {
namespace {

/// A context, and the index of a statement by its loops.
struct Index {
  explicit Index(const char* text) : map(context.get(), text) {}
  IslContext context;
  isl::map map;
};

TEST(StepsOf, OfAnAffineIndexAreItsFactor) {
  const Index index("{ [i, j] -> [3i - 2j] : 0 <= i < 8 and 0 <= j < 8 }");
  const IndexSteps along_j = steps_of(index.map, 1);
  EXPECT_EQ(along_j.low, -2);
  EXPECT_EQ(along_j.high, -2);
  EXPECT_EQ(along_j.largest(), 2);
  EXPECT_EQ(steps_of(index.map, 0).largest(), 3);
}

TEST(StepsOf, AreTheSameOfTheFunction) {
  for (const char* text :
       {"{ [i, j] -> [3i - 2j] : 0 <= i < 8 and 0 <= j < 8 }",
        "{ [i, j] -> [i mod 5 + j] : 0 <= i < 20 and 0 <= j < 2 }",
        "{ [i, j] -> [i] : 0 <= i < 4 and 0 <= j < 3; [i, j] -> [9 - i] : 4 <= i < 8 and j = 0 }",
        "{ [i, j] -> [j] : 0 <= i < 9 and i mod 2 = 0 and 0 <= j < 3 }"}) {
    const Index index(text);
    const isl::pw_aff function = index.map.as_pw_multi_aff().at(0);
    for (const std::size_t k : {0U, 1U}) {
      const IndexSteps steps = steps_of(index.map, k);
      EXPECT_EQ(steps_of(function, k).low, steps.low) << text << " " << k;
      EXPECT_EQ(steps_of(function, k).high, steps.high) << text << " " << k;
    }
  }
}

TEST(ValuesOf, AreTheLeastAndTheGreatest) {
  const Index index("{ [i] -> [7 - 2i] : 0 <= i < 4; [i] -> [i] : 4 <= i < 12 }");
  const IndexSteps values = values_of(index.map.as_pw_multi_aff().at(0));
  EXPECT_EQ(values.low, 1);
  EXPECT_EQ(values.high, 11);
}

TEST(StepsOf, OfARemainderGoForthAndBack) {
  const IndexSteps steps = steps_of(Index("{ [i] -> [i mod 5] : 0 <= i < 20 }").map, 0);
  EXPECT_EQ(steps.low, -4);
  EXPECT_EQ(steps.high, 1);
}

TEST(BlockOf, IsTheDivisorOfQuotientsAndRemainders) {
  EXPECT_EQ(block_of(Index("{ [i] -> [16*floor(i/16)] : 0 <= i < 64 }").map, 0, 0), 16);
  EXPECT_EQ(block_of(Index("{ [i] -> [i mod 16] : 0 <= i < 64 }").map, 0, 0), 16);
  EXPECT_EQ(
      block_of(Index("{ [i, c] -> [2i + 3*floor(i/7) + c] : 0 <= i < 21 and 0 <= c < 4 }").map, 0,
               0),
      7);
  EXPECT_EQ(block_of(Index("{ [i] -> [floor(i/2)] : 0 <= i < 6 }").map, 0, 0), 2);
}

TEST(BlockOf, NothingWhereAllStepsAreTheSame) {
  const Index index("{ [i, c] -> [i + c] : 0 <= i < 64 and 0 <= c < 4 }");
  EXPECT_FALSE(block_of(index.map, 0, 0));
  EXPECT_FALSE(block_of(index.map, 1, 0));
}

TEST(BlockOf, NothingWhereBlocksDoNotBeginWithTheLoop) {
  EXPECT_FALSE(block_of(Index("{ [i] -> [floor((i + 3)/16)] : 0 <= i < 64 }").map, 0, 0));
  // Another loop moves the place of the step.
  EXPECT_FALSE(
      block_of(Index("{ [i, c] -> [floor((i + c)/16)] : 0 <= i < 64 and 0 <= c < 4 }").map, 0, 0));
  // From the loop's first value on they do.
  EXPECT_EQ(block_of(Index("{ [i] -> [floor((i + 3)/16)] : 13 <= i < 77 }").map, 0, 13), 16);
}

TEST(BlockOf, NothingWhereBlocksAreOfSeveralKinds) {
  const Index index("{ [i] -> [(floor(i/4)) mod 4] : 0 <= i < 64 }");  // back after each 16
  EXPECT_FALSE(block_of(index.map, 0, 0));
}

TEST(IndexOverLoops, NamesTheLoopsAroundAStatement) {
  const samples::GroupedSums sums(64, 8, 16);
  const schedule::State state = schedule::make_state({sums.s}, {});
  const auto reads = schedule::accesses_of(state, "S", "A", schedule::AccessKind::Reads);
  ASSERT_EQ(reads.size(), 1U);
  const isl::map channel = index_over_loops(state, reads[0], 0);
  EXPECT_EQ(block_of(channel, 0, 0), 16);
  EXPECT_EQ(steps_of(channel, 1).largest(), 0);
  EXPECT_EQ(steps_of(channel, 2).largest(), 1);
}

}  // namespace
}  // namespace solway::memory_planner
