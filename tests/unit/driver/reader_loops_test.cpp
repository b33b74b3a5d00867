#include "driver/reader_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/split.h"

#include "tests/unit/driver/product_with_reader.h"

namespace solway::driver {
namespace {

using ::testing::ElementsAre;
using testing::ProductWithReader;

TEST(ReaderLoops, OneAlongEachDimension) {
  const ProductWithReader p(24, 32, 8);
  const auto read = only_read(p.state, "C");
  ASSERT_TRUE(read);
  const auto loops = reader_loops(p.state, *read, {24, 32});
  ASSERT_TRUE(loops);
  const auto& own = p.state.stage_loops.at("D");
  EXPECT_THAT(*loops, ElementsAre(own[0], own[1]));
}

TEST(ReaderLoops, ADimensionOfOneElementHasNone) {
  const ProductWithReader p(1, 32, 8);
  const auto loops = reader_loops(p.state, *only_read(p.state, "C"), {1, 32});
  ASSERT_TRUE(loops);
  EXPECT_EQ((*loops)[0], kNoLoop);
}

TEST(ReaderLoops, NoneOfAnotherExtent) {
  const ProductWithReader p(24, 32, 8);
  const auto read = only_read(p.state, "C");
  EXPECT_FALSE(reader_loops(p.state, *read, {24, 16}));
  EXPECT_FALSE(reader_loops(p.state, *read, {24}));
}

TEST(ReaderLoops, AReaderMayStopBeforeTheEndWhereThatIsAskedFor) {
  const ProductWithReader p(24, 32, 8);
  const auto read = only_read(p.state, "C");
  const auto loops = reader_loops(p.state, *read, {24, 40}, Reach::Part);
  ASSERT_TRUE(loops);
  EXPECT_EQ((*loops)[1], p.state.stage_loops.at("D")[1]);
  EXPECT_FALSE(reader_loops(p.state, *read, {24, 40}));
  EXPECT_FALSE(reader_loops(p.state, *read, {24, 16}, Reach::Part));
}

TEST(ReaderLoops, AStageIsPlainUntilItIsScheduled) {
  const ProductWithReader p(24, 32, 8);
  EXPECT_TRUE(computes_plainly(p.state, "D"));
  EXPECT_FALSE(computes_plainly(p.state, "C"));  // it sums up
  const auto split =
      schedule::split(p.state, "D", p.state.stage_loops.at("D")[0], 4, samples::at(9));
  EXPECT_FALSE(computes_plainly(split.state, "D"));
}

}  // namespace
}  // namespace solway::driver
