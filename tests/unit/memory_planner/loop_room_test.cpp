#include "memory_planner/loop_room.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/buffered_matmul.h"

namespace solway::memory_planner {
namespace {

std::vector<LoopRoom> rooms_of(const schedule::State& state) {
  return loop_room(state, lay_out(state, testing::scratchpad_machine(), {})[0]);
}

TEST(LoopRoom, NamesTheLargestFactorOfEachLoopInABuffer) {
  const auto rooms = rooms_of(testing::buffered_matmul(128, 64));
  ASSERT_EQ(rooms.size(), 2U);
  EXPECT_EQ(rooms[0].loop, "y.i");
  EXPECT_EQ(rooms[0].factor, 128);
  // 64 * y * 4 + 256 + y * 4 <= 63488
  EXPECT_EQ(rooms[0].largest, 243);
  EXPECT_EQ(rooms[0].range, 1024);
  EXPECT_EQ(rooms[1].loop, "k.i");
  EXPECT_EQ(rooms[1].factor, 64);
  // k * 128 * 4 + k * 4 + 512 <= 63488
  EXPECT_EQ(rooms[1].largest, 122);
}

TEST(LoopRoom, TheLargestFactorFitsAndTheNextDoesNot) {
  const Target target = testing::scratchpad_machine();
  EXPECT_TRUE(lay_out(testing::buffered_matmul(243, 64), target, {})[0].fits());
  EXPECT_FALSE(lay_out(testing::buffered_matmul(248, 64), target, {})[0].fits());
  EXPECT_TRUE(lay_out(testing::buffered_matmul(128, 122), target, {})[0].fits());
  EXPECT_FALSE(lay_out(testing::buffered_matmul(128, 124), target, {})[0].fits());
}

TEST(LoopRoom, AFactorThatIsTooLargeIsToldHowFarToShrink) {
  const auto rooms = rooms_of(testing::buffered_matmul(128, 128));
  EXPECT_EQ(rooms[1].factor, 128);
  EXPECT_EQ(rooms[1].largest, 122);
}

TEST(LoopRoom, WithoutBuffersThereIsNothingToSay) {
  const samples::Matmul matmul(1, 8, 8);
  EXPECT_TRUE(rooms_of(schedule::make_state({matmul.c}, {})).empty());
}

}  // namespace
}  // namespace solway::memory_planner
