#include "memory_planner/transfer_waits.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace solway::memory_planner {
namespace {

using ::testing::ElementsAre;

TransferEngine engine_with_room(int requests) {
  TransferEngine out;
  out.max_pending = requests;
  return out;
}

/// That comes so often, in one series, with so many requests each time.
TensorCost tensor_of(double rounds, double requests) {
  TensorCost out;
  out.rounds = out.series = rounds;
  out.requests = requests;
  return out;
}

TEST(TransferWaits, BurstsAreWhatOneStepDoesNotHide) {
  TensorCost often = tensor_of(32, 1);
  TensorCost rarely = tensor_of(2, 1);
  rarely.put = 10000;
  EXPECT_DOUBLE_EQ(bursts_of(32000, {often, rarely}, {true, true}), 10000 - 2 * 1000);
  EXPECT_DOUBLE_EQ(bursts_of(32000, {often, rarely}, {true, false}), 0);  // waits for itself
  EXPECT_DOUBLE_EQ(bursts_of(32000, {often, often}, {true, true}), 0);
}

TEST(TransferWaits, RequestsWithoutRoomAreSeen) {
  const TransferEngine engine = engine_with_room(3);
  EXPECT_THAT(shares_seen(engine, {tensor_of(8, 3)}, {true}), ElementsAre(0));
  EXPECT_THAT(shares_seen(engine, {tensor_of(8, 12)}, {true}), ElementsAre(0.75));
  EXPECT_THAT(shares_seen(engine, {tensor_of(8, 12)}, {false}), ElementsAre(0));
  // Two that have room alone: the fourth request finds none.
  EXPECT_THAT(shares_seen(engine, {tensor_of(8, 2), tensor_of(8, 2)}, {true, true}),
              ElementsAre(0.25, 0.25));
  EXPECT_THAT(shares_seen(engine, {tensor_of(8, 2), tensor_of(8, 2)}, {true, false}),
              ElementsAre(0, 0));
  // One that finds none lets those beside it wait as often as it comes.
  EXPECT_THAT(shares_seen(engine, {tensor_of(8, 12), tensor_of(16, 1)}, {true, true}),
              ElementsAre(0.75, 0.375));
}

TEST(TransferWaits, OneRegionIsLoadedNoLongerThanItIsUnusedAndMoved) {
  const TransferEngine engine = engine_with_room(3);
  const auto early = [&](const TensorCost& loaded, double computing) {
    return loaded_early(engine, {loaded}, {1}, 0, computing);
  };
  TensorCost one = tensor_of(4, 1);
  one.got = 1000;
  EXPECT_DOUBLE_EQ(early(one, 8000), 0);
  one.unused = 400;
  EXPECT_DOUBLE_EQ(early(one, 8000), 300);  // not the first of four tiles
  one.unused = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(early(one, 8000), 750);
  EXPECT_DOUBLE_EQ(early(one, 200), 150);
  one.requests = 12;
  EXPECT_DOUBLE_EQ(early(one, 8000), 0.25 * 750);
  one.series = 1;  // no tile comes after another one
  EXPECT_DOUBLE_EQ(early(one, 8000), 0);
}

TEST(TransferWaits, WhatIsTurnedIsWaitedForBehindRequestsThatFindNoRoom) {
  const TransferEngine engine = engine_with_room(3);
  TensorCost turned = tensor_of(4, 1);
  turned.got = 1000;
  turned.unused = std::numeric_limits<double>::infinity();
  const auto early = [&](TensorCost beside, int depth) {
    beside.got = 1;
    return loaded_early(engine, {turned, beside}, {1, depth}, 0, 8000);
  };
  EXPECT_DOUBLE_EQ(early(tensor_of(4, 2), 2), 750);
  EXPECT_DOUBLE_EQ(early(tensor_of(4, 3), 2), 0);    // the third one stands until it is complete
  EXPECT_DOUBLE_EQ(early(tensor_of(4, 4), 1), 750);  // asked for when it is used
  EXPECT_DOUBLE_EQ(early(tensor_of(8, 3), 2), 0);
  EXPECT_DOUBLE_EQ(early(tensor_of(2, 5), 2), 0.5 * 750);  // every second time
  turned.requests = 2;
  EXPECT_DOUBLE_EQ(early(tensor_of(4, 2), 2), 0.5 * 750);
  turned.unused = 5000;  // its product's reader runs before the next tiles are asked for
  EXPECT_DOUBLE_EQ(early(tensor_of(4, 2), 2), 750);
  turned.unused = std::numeric_limits<double>::infinity();
  turned.requests = 1;
  TensorCost cut = tensor_of(4, 1);  // half of its tiles move row by row
  cut.cut = 0.5;
  cut.rows = 5;
  EXPECT_DOUBLE_EQ(early(cut, 2), 0);
}

TEST(TransferWaits, ResultsAreWaitedForBehindReadsOfOneRegion) {
  TensorCost read = tensor_of(8, 1);
  read.got = 1;
  EXPECT_DOUBLE_EQ(share_read_behind({read}, {1}, 16), 0.5);
  EXPECT_DOUBLE_EQ(share_read_behind({read}, {1}, 4), 1);
  EXPECT_DOUBLE_EQ(share_read_behind({read}, {2}, 16), 0);
  read.unused = 10;  // asked for before, in its only series
  EXPECT_DOUBLE_EQ(share_read_behind({read}, {1}, 16), 0);
  read.series = 2;  // but for the first tile of each but one of four series
  EXPECT_DOUBLE_EQ(share_read_behind({read}, {1}, 6), 0.5);
}

TEST(TransferWaits, ResultsAreWaitedForBehindFirstTilesOfPasses) {
  TensorCost read = tensor_of(8, 1);
  read.got = 1;
  EXPECT_DOUBLE_EQ(share_begun_behind({read}, {2}, 16), 0);  // one pass
  read.series = 2;
  EXPECT_DOUBLE_EQ(share_begun_behind({read}, {2}, 16), 0.25);
  EXPECT_DOUBLE_EQ(share_begun_behind({read}, {1}, 2), 1);
  EXPECT_DOUBLE_EQ(share_begun_behind({read}, {0}, 16), 0);  // left in main memory
  read.got = 0;
  EXPECT_DOUBLE_EQ(share_begun_behind({read}, {2}, 16), 0);
}

TEST(TransferWaits, ResultsTakeTheRoomOfRequestsThatRunAhead) {
  const TransferEngine engine = engine_with_room(3);
  const TensorCost put = tensor_of(8, 2);
  const auto crowded = [&](TensorCost get, int depth) {
    get.got = 1;
    return share_crowded(engine, {get, put}, {depth, 2}, 1);
  };
  EXPECT_DOUBLE_EQ(crowded(tensor_of(8, 1), 2), 0);
  EXPECT_DOUBLE_EQ(crowded(tensor_of(8, 2), 2), 0.5);
  EXPECT_DOUBLE_EQ(crowded(tensor_of(8, 9), 2), 1);
  EXPECT_DOUBLE_EQ(crowded(tensor_of(4, 9), 2), 0.5);
  EXPECT_DOUBLE_EQ(crowded(tensor_of(8, 9), 1), 0);
}

}  // namespace
}  // namespace solway::memory_planner
