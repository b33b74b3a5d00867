#include "memory_planner/plan_cost.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

class PlanCostTest : public ::testing::Test {
 protected:
  PlanCostTest() {
    body.accumulate_cycles = 7;
    body.is_reduction = true;
    body.lanes = 4;
    body.accesses = {1, 1, 1};
    body.shapes = {{512, 512}, {512, 512}, {512, 512}};
    plan.cuts = {{64, 64, 4}, {64, 64, 16}, {512, 32, 1}};
    plan.parallel = {0, 1};
    plan.grid = {8, 8};
    plan.outer = {2};
    plan.vector = 1;
    plan.depths = {2, 2, 1};
  }

  PlanCost cost() const {
    return cost_of({&stage, &body, &target, target.engine_or_null("ldm")}, plan);
  }

  StageModel stage = testing::matmul(512, 512, 512);
  Target target = load_target("sw26010", {});
  BodyModel body;
  NestPlan plan;
};

TEST_F(PlanCostTest, TransfersStandAroundWhatDependsOnTheirLoops) {
  EXPECT_EQ(loops_around(stage, plan, 0), 1);
  EXPECT_EQ(loops_around(stage, plan, 2), 0);
  EXPECT_TRUE(can_overlap(stage, plan, 0));
  EXPECT_FALSE(can_overlap(stage, plan, 2));
}

TEST_F(PlanCostTest, WhatIsMultipliedWithAWindowIsMovedAroundIt) {
  const StageModel windows = testing::window(16, 32, 8);
  NestPlan apart;
  apart.cuts = {{16, 4, 1}, {32, 2, 1}, {32, 8, 1}, {8, 8, 1}, {3, 3, 1}, {3, 1, 1}};
  apart.outer = {1, 2, 0, 5};
  apart.depths = {1, 1, 1};
  apart.micro_kernel = ProductForm{0, 2, 3, 2, 1, 0, {4}, {5}};
  EXPECT_EQ(loops_around(windows, apart, 0), 4);  // each column of the window's
  EXPECT_EQ(loops_around(windows, apart, 1), 3);  // all together
}

TEST_F(PlanCostTest, HiddenTransfersAreAllBytesAtThePublishedThroughput) {
  // 64 cores, 16 rounds, 64 blocks of 128 bytes of A and 32 of 256 bytes of B.
  const double a = 64 * 16 * 64 * 128 / 17.25 * 1.45;
  const double b = 64 * 16 * 32 * 256 / 22.44 * 1.45;
  EXPECT_NEAR(cost().hidden, a + b, 1);
}

// C is moved 2 times, A and B 32 times, all hidden: the burst is longer than what is computed
// meanwhile.
TEST_F(PlanCostTest, WhatMovesOftenWaitsBehindWhatMovesRarely) {
  TensorCost often;
  often.rounds = 32;
  often.got = 1000;
  TensorCost rarely;
  rarely.rounds = 2;
  rarely.put = 10000;
  const CostInputs in{&stage, &body, &target, target.engine_or_null("ldm")};
  EXPECT_DOUBLE_EQ(total_of(in, 32000, {often, rarely}, {2, 2}).bursts, 10000 - 2 * 1000);
  EXPECT_DOUBLE_EQ(total_of(in, 32000, {often, rarely}, {2, 1}).bursts, 0);
  rarely.put = 1500;
  EXPECT_DOUBLE_EQ(total_of(in, 32000, {often, rarely}, {2, 2}).bursts, 0);
}

TEST_F(PlanCostTest, WhatIsLeastOfDepthsIsNoMoreThanTheyTake) {
  const CostInputs in{&stage, &body, &target, target.engine_or_null("ldm")};
  TensorCost often{2, 16, 4, 40, 0.5, 8, 1, 9000, 0, 200, 0, 500, 700};
  TensorCost whole{2, 1, 1, 3, 0, 0, 2, 400, 800, 200, 100, 0, 0};
  TensorCost turned{
      2, 8, 8, 2, 0, 0, 1, 6000, 0, 200, 0, 900, std::numeric_limits<double>::infinity()};
  for (const double computing : {100., 9000., 40000.}) {
    for (int deep = 0; deep < 8; ++deep) {
      const std::vector<int> depths = {1 + (deep & 1), 1 + (deep >> 1 & 1), 1 + (deep >> 2)};
      const double all = total_of(in, computing, {often, whole, turned}, depths).total();
      const double least = least_total(in, computing, {often, whole, turned}, depths);
      EXPECT_LE(least, all * (1 + 1e-12)) << computing << " " << deep;
      EXPECT_GE(least, least_total(in, least_of(often) + least_of(whole) + least_of(turned) +
                                           LeastCost{computing, 0}) *
                           (1 - 1e-12));
    }
  }
}

TEST_F(PlanCostTest, AFullChannelIsWaitedForWithAllThatIsInIt) {
  const TransferEngine* engine = target.engine_or_null("ldm");
  const CostInputs in{&stage, &body, &target, engine};
  TensorCost rows, whole;
  rows.rounds = whole.rounds = 32;
  rows.series = whole.series = 32;
  rows.requests = 2.0 * engine->max_pending;  // half of them find no room
  rows.got = 1000;
  whole.got = 8000;
  const PlanCost full = total_of(in, 32000, {rows, whole}, {2, 2});
  EXPECT_DOUBLE_EQ(full.waits, 500 + 4000);
  EXPECT_DOUBLE_EQ(full.hidden, 500 + 4000);
  rows.rounds = 8;  // no room only once in four transfers of the other
  EXPECT_DOUBLE_EQ(total_of(in, 32000, {rows, whole}, {2, 2}).waits, 500 + 1000);
  rows.requests = engine->max_pending - 1;
  EXPECT_DOUBLE_EQ(total_of(in, 32000, {rows, whole}, {2, 2}).waits, 0);
}

TEST_F(PlanCostTest, TheChannelIsThatOfAllTensors) {
  const TransferEngine* engine = target.engine_or_null("ldm");
  const CostInputs in{&stage, &body, &target, engine};
  TensorCost rows, whole;
  rows.rounds = whole.rounds = 32;
  rows.series = whole.series = 32;
  rows.requests = engine->max_pending;  // has room alone
  rows.got = 1000;
  whole.got = 8000;
  EXPECT_DOUBLE_EQ(total_of(in, 32000, {rows}, {2}).waits, 0);
  const double found_none = 1.0 / (engine->max_pending + 1);
  EXPECT_DOUBLE_EQ(total_of(in, 32000, {rows, whole}, {2, 2}).waits, found_none * 9000);
  whole.rounds = whole.series = 16;  // every second time
  const double seldom = 0.5 / (engine->max_pending + 0.5);
  EXPECT_NEAR(total_of(in, 32000, {rows, whole}, {2, 2}).waits, seldom * 1000 + found_none * 8000,
              1e-6);
  whole.requests = 0;  // has nothing to move
  EXPECT_DOUBLE_EQ(total_of(in, 32000, {rows, whole}, {2, 2}).waits, 0);
}

TEST_F(PlanCostTest, OneRegionWaitsForWhatIsPutBeforeIt) {
  const CostInputs in{&stage, &body, &target, target.engine_or_null("ldm")};
  TensorCost read, written;
  read.rounds = written.rounds = 16;
  read.series = written.series = 16;
  read.got = 1000;
  written.put = 8000;
  EXPECT_DOUBLE_EQ(total_of(in, 32000, {read, written}, {2, 2}).waits, 0);
  EXPECT_DOUBLE_EQ(total_of(in, 32000, {read, written}, {1, 2}).waits, 1000 + 8000);
  read.rounds = 4;  // only what is put before each of these
  EXPECT_DOUBLE_EQ(total_of(in, 32000, {read, written}, {1, 2}).waits, 1000 + 2000);
}

// What reads the results takes 100 cycles in each of 16 tiles.
TEST_F(PlanCostTest, OneRegionIsLoadedWhileItsResultsAreUsed) {
  const TransferEngine* engine = target.engine_or_null("ldm");
  const CostInputs in{&stage, &body, &target, engine};
  TensorCost read, written;
  read.rounds = written.rounds = 16;
  read.series = written.series = 16;
  read.got = 8000;
  written.put = 3000;
  read.unused = 1600;
  const PlanCost early = total_of(in, 32000, {read, written}, {1, 2});
  EXPECT_DOUBLE_EQ(early.waits, 8000 - 1500);   // and nothing for what is put behind it
  EXPECT_DOUBLE_EQ(early.hidden, 1500 + 3000);  // not of the first tile
  // The core stands until the last three requests have room.
  read.requests = 10.0 * engine->max_pending;
  EXPECT_DOUBLE_EQ(total_of(in, 32000, {read, written}, {1, 2}).waits, 8000 - 750);
  read.unused = 0;
  EXPECT_DOUBLE_EQ(total_of(in, 32000, {read, written}, {1, 2}).waits, 8000 + 3000);
}

TEST_F(PlanCostTest, WhatLandsIsLoadedWhileTheTileIsMultiplied) {
  const CostInputs in{&stage, &body, &target, target.engine_or_null("ldm")};
  TensorCost lands;
  lands.rounds = lands.series = 16;
  lands.got = 1600;
  lands.exchanging = 500;
  lands.unused = std::numeric_limits<double>::infinity();
  const PlanCost early = total_of(in, 32000, {lands}, {1});
  EXPECT_DOUBLE_EQ(early.waits, 100);
  EXPECT_DOUBLE_EQ(early.hidden, 1500);
  EXPECT_DOUBLE_EQ(early.drain, 32000 / 16 + 500);  // nothing comes while it is turned
  EXPECT_DOUBLE_EQ(total_of(in, 150, {lands}, {1}).waits, 1600 - 150 * 15 / 16.0);
}

TEST_F(PlanCostTest, WhatIsPutTakesTheRoomOfRequestsThatRunAhead) {
  const TransferEngine* engine = target.engine_or_null("ldm");
  ASSERT_EQ(engine->max_pending, 3);
  const CostInputs in{&stage, &body, &target, engine};
  TensorCost read, written;
  read.rounds = read.series = written.rounds = written.series = 16;
  read.got = 1000;
  written.put = 3000;
  const auto waits = [&](double gets, double puts) {
    read.requests = gets;
    written.requests = puts;
    return total_of(in, 32000, {read, written}, {2, 2}).waits;
  };
  EXPECT_DOUBLE_EQ(waits(2, 1), 0);
  EXPECT_DOUBLE_EQ(waits(3, 1), 3000 + 250);  // one of four requests of both finds no room
  EXPECT_DOUBLE_EQ(waits(2, 2), 1500 + 250);
  read.rounds = read.series = 4;
  EXPECT_DOUBLE_EQ(waits(3, 1), 750 + 250);
  read.rounds = 16;  // its pipeline is drained in between: only what the channel has no room for
  EXPECT_DOUBLE_EQ(waits(3, 1), (1000 + 3000) / 4);
}

TEST_F(PlanCostTest, OperandsOfTheInnermostTilesAreLoadedEarly) {
  stage.tensors[2].is_local = true;
  stage.tensors.push_back({"Y", 4, AccessDirection::Write, stage.tensors[2].dims});
  plan.cuts = {{64, 16, 1}, {64, 16, 1}, {512, 512, 1}};
  plan.outer = {0, 1};
  EXPECT_FALSE(can_load_early(stage, plan, 1));  // nothing else is computed in a tile
  stage.tensors[3].is_epilogue = true;
  EXPECT_TRUE(can_load_early(stage, plan, 1));
  EXPECT_FALSE(can_load_early(stage, plan, 0));  // stays for all tiles along y
  EXPECT_FALSE(can_load_early(stage, plan, 3));
  plan.outer = {0, 1, 2};
  plan.cuts[2].tile = 32;
  EXPECT_FALSE(can_load_early(stage, plan, 1));  // the next one is used at once
  stage.tensors[1].turning = Turning{"B_before", {1, 0}};
  EXPECT_TRUE(can_load_early(stage, plan, 1));  // when it has been turned
}

TEST_F(PlanCostTest, OperandsOfAProductRunAheadOverTilesOfItsReader) {
  stage.tensors[2].is_local = true;
  stage.tensors.push_back({"Y", 4, AccessDirection::Write, stage.tensors[2].dims});
  stage.tensors[3].is_epilogue = true;
  plan.cuts = {{64, 16, 1}, {64, 64, 1}, {512, 32, 1}};
  plan.outer = {0, 2};
  plan.depths = {2, 2, 1, 1};
  EXPECT_TRUE(can_run_across(stage, plan, 0));
  EXPECT_FALSE(can_run_across(stage, plan, 3));
  EXPECT_TRUE(runs_ahead(stage, plan, 0));
  EXPECT_TRUE(can_put_late(stage, plan, 3));
  EXPECT_FALSE(can_put_late(stage, plan, 0));
  plan.depths[0] = 1;
  EXPECT_FALSE(runs_ahead(stage, plan, 0));
  stage.tensors[0].turning = Turning{"A_before", {1, 0}};
  EXPECT_TRUE(runs_ahead(stage, plan, 0));
  plan.outer = {2};
  EXPECT_FALSE(can_put_late(stage, plan, 3));  // there is no next tile
}

// 4 tiles of 16 steps; each tile's results are put once.
TEST_F(PlanCostTest, ResultsLeaveWhileTheNextTileIsComputed) {
  const TransferEngine* engine = target.engine_or_null("ldm");
  const CostInputs in{&stage, &body, &target, engine};
  TensorCost read, written;
  read.rounds = read.series = 64;
  read.got = 3200;
  written.rounds = written.series = 4;
  written.put = 8000;
  EXPECT_DOUBLE_EQ(total_of(in, 64000, {read, written}, {2, 1}).waits, 8000);
  written.is_late = true;
  const PlanCost late = total_of(in, 64000, {read, written}, {2, 1});
  EXPECT_DOUBLE_EQ(late.waits, 0);
  EXPECT_DOUBLE_EQ(late.hidden, 3200 + 8000);
  EXPECT_DOUBLE_EQ(late.drain, 1000);  // the operands go on moving meanwhile
  // The first operands of each tile stand behind its results, unless they were asked for before.
  read.series = 16;
  EXPECT_DOUBLE_EQ(total_of(in, 64000, {read, written}, {2, 1}).waits, 8000);
  // What is put finds no room beside requests that run ahead.
  read.series = 64;
  read.requests = engine->max_pending;
  EXPECT_GT(total_of(in, 64000, {read, written}, {2, 1}).waits, 7999);
}

TEST_F(PlanCostTest, OneRegionWaitsForAllThatItMoves) {
  const PlanCost two = cost();
  plan.depths = {1, 1, 1};
  const PlanCost one = cost();
  EXPECT_EQ(one.hidden, 0);
  // Both operands are asked for before the first of them is waited for.
  EXPECT_NEAR(one.waits - two.waits, two.hidden + 16 * 200, 1);
  EXPECT_GT(one.total(), two.total());
}

TEST_F(PlanCostTest, WhatIsAskedForAtOtherPlacesStartsAnew) {
  const CostInputs in{&stage, &body, &target, target.engine_or_null("ldm")};
  TensorCost read;
  read.rounds = 16;
  read.got = 1000;
  read.get_start = 200;
  read.around = 1;
  TensorCost inside = read;
  inside.around = 2;
  TensorCost stored = read;
  stored.put_start = 300;
  const auto waits = [&](const TensorCost& a, const TensorCost& b) {
    const double all = total_of(in, 64000, {a, b}, {1, 1}).waits;
    EXPECT_LE(least_total(in, 64000, {a, b}, {1, 1}),
              total_of(in, 64000, {a, b}, {1, 1}).total() + 1e-6);
    return all - 2000;
  };
  EXPECT_DOUBLE_EQ(waits(read, read), 16 * 200);
  EXPECT_DOUBLE_EQ(waits(read, inside), 2 * 16 * 200);
  EXPECT_DOUBLE_EQ(waits(read, stored), 16 * (200 + 500));
}

TEST_F(PlanCostTest, TilesThatDivideAShorterLastPartAreOneRequest) {
  const CostInputs in{&stage, &body, &target, target.engine_or_null("ldm")};
  stage = testing::matmul(512, 508, 512);  // columns of B in parts of 64 and one of 60
  body.shapes[1] = {512, 508};
  plan.cuts[1].tile = 4;
  EXPECT_DOUBLE_EQ(box_cost(in, plan, 1).requests, 1);
  plan.cuts[1].tile = 32;
  EXPECT_DOUBLE_EQ(box_cost(in, plan, 1).requests, 32);  // a row of the tile each
}

TEST_F(PlanCostTest, TilesThatASlantedSideCutsAreStoredRowByRow) {
  const CostInputs in{&stage, &body, &target, target.engine_or_null("ldm")};
  const BoxCost box = box_cost(in, plan, 2);
  EXPECT_EQ(box.cut, 0);
  stage.tensors[2].slants = {{0, 1, 1}};
  const BoxCost triangle = box_cost(in, plan, 2);
  EXPECT_GT(triangle.cut, 0);
  EXPECT_LT(triangle.cut, 0.5);
  EXPECT_DOUBLE_EQ(triangle.rows, static_cast<double>(plan.cuts[0].tile));
  const double by_rows = cost().compute;
  stage.tensors[2].slants.clear();
  EXPECT_GT(by_rows, cost().compute);
}

TEST_F(PlanCostTest, ASumThatIsLeftIsLoadedAgain) {
  plan.depths = {1, 1, 1};
  const double whole = cost().waits;
  plan.cuts[0] = {64, 32, 4};
  plan.outer = {2, 0};  // the reduction outside of tiles of the output
  EXPECT_GT(cost().waits, whole + 15 * 2 * 512 * 512 * 4 / 36.0 * 1.45);
}

TEST_F(PlanCostTest, AWholeSumIsStoredOnce) {
  plan.depths = {0, 0, 1};
  plan.cuts[0] = {64, 32, 4};
  plan.outer = {0, 2};  // tiles of the output outside of the reduction
  // Blocks of 256 bytes, and two starts.
  EXPECT_NEAR(cost().waits, 512 * 512 * 4 / 25.80 * 1.45 + 2 * 200, 1);
}

TEST_F(PlanCostTest, FewColumnsUseFewBuses) {
  plan.depths = {1, 1, 1};
  const double all = cost().waits;
  plan.cuts[1] = {512, 64, 16};
  plan.parallel = {0};
  plan.grid = {1, 0};
  plan.cuts[0] = {512, 64, 4};
  plan.outer = {0, 1, 2};
  // The same bytes through one of four buses.
  EXPECT_GT(cost().waits, 3.5 * all);
}

// The first region of each tile of the output is waited for: the next is moved in the loop of the
// reduction only.
TEST_F(PlanCostTest, EachSeriesOfTransfersBeginsWithAWait) {
  const double whole = cost().fill;
  plan.cuts[0] = {64, 32, 4};
  plan.outer = {0, 2};
  const double moved = cost().hidden;
  // 2 series of 16 transfers of A and of B.
  EXPECT_NEAR(cost().fill, 2 * 2 * 200 + moved / 16, 1);
  EXPECT_GT(cost().fill, whole);
}

TEST_F(PlanCostTest, AcrossLoopsOnlyTheFirstRegionOfAllIsWaitedFor) {
  plan.cuts[0] = {64, 32, 4};
  plan.outer = {0, 2};
  EXPECT_TRUE(can_run_across(stage, plan, 0));
  EXPECT_FALSE(can_run_across(stage, plan, 2));  // no loop of the reduction is around C
  const PlanCost drained = cost();
  plan.across = {true, true, true};
  EXPECT_NEAR(cost().fill, 2 * 200 + drained.hidden / 32, 1);
  EXPECT_LT(cost().total(), drained.total());
  plan.outer = {2};
  EXPECT_FALSE(can_run_across(stage, plan, 0));
}

TEST_F(PlanCostTest, CoresThatReadTogetherMoveLessAndPassItOn) {
  const PlanCost alone = cost();
  plan.shared = {schedule::SharedBy::Row, schedule::SharedBy::Column, schedule::SharedBy::Core};
  const PlanCost together = cost();
  EXPECT_NEAR(together.hidden, alone.hidden / 8, 0.01 * alone.hidden);
  EXPECT_GT(together.compute, alone.compute + 16 * 2 * 1000);  // of 16 steps, 8 KB of A and of B
  EXPECT_LT(together.total(), alone.total());
}

TEST_F(PlanCostTest, NoDepthsOfBuffersTakeLessThanTheLeastTotal) {
  const CostInputs in{&stage, &body, &target, target.engine_or_null("ldm")};
  double nearest = 0;
  for (const double computing : {0.0, 1e4, 1e5, 1e6, 1e7}) {
    for (const std::int64_t tile : {4, 16, 64}) {
      for (const std::int64_t terms : {8, 32, 512}) {
        plan.cuts = {{64, tile, 4}, {64, 64, 16}, {512, terms, 1}};
        plan.outer = {0, 2};
        std::vector<TensorCost> costs;
        LeastCost least{computing, 0};
        for (int t = 0; t < 3; ++t) {
          costs.push_back(tensor_cost(in, plan, t));
          least = least + least_of(costs.back());
        }
        const double bound = least_total(in, least);
        for (int deep = 0; deep < 8; ++deep) {
          const std::vector<int> depths{1 + (deep & 1), 1 + (deep >> 1 & 1), 1 + (deep >> 2 & 1)};
          const double total = total_of(in, computing, costs, depths).total();
          EXPECT_LE(bound, total * (1 + 1e-12));
          nearest = std::max(nearest, bound / total);
        }
      }
    }
  }
  EXPECT_GT(nearest, 0.8);  // and some take little more
}

TEST_F(PlanCostTest, SumsThatAReductionComesBackToAreStoredFirst) {
  const CostInputs in{&stage, &body, &target, target.engine_or_null("ldm")};
  plan.cuts = {{64, 4, 1}, {64, 64, 1}, {512, 8, 1}};
  plan.outer = {0, 2};
  const TensorCost once = tensor_cost(in, plan, 2);
  plan.outer = {2, 0};
  const TensorCost again = tensor_cost(in, plan, 2);
  EXPECT_EQ(once.exchanging, 0);
  const double one = std::max(target.timing->main_store_cycles,
                              target.cores.count * target.timing->main_access_cycles);
  EXPECT_DOUBLE_EQ(again.exchanging, 64 * 64 * one);  // of each core
}

TEST_F(PlanCostTest, OfTwoWaysTheLesserOfEachPartCounts) {
  const LeastCost both = least_of_both({1, 9}, {5, 2});
  EXPECT_EQ(both.computing, 1);
  EXPECT_EQ(both.moving, 2);
}

TEST_F(PlanCostTest, StartingTakesWhatTheTargetSays) { EXPECT_EQ(start_cycles(target), 30000); }

}  // namespace
}  // namespace solway::memory_planner
