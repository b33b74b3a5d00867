#include "memory_planner/compute_cost.h"

#include <utility>

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

Target sunway() { return load_target("sw26010", {}); }

/// A sum of products of float32.
BodyModel product_body() {
  BodyModel out;
  out.accumulate_cycles = 7;
  out.is_reduction = out.is_product = true;
  out.lanes = 4;
  out.accesses = {1, 1, 1};
  return out;
}

/// One core's product of 32 x 64 x 64 with `rows` x `columns` in registers.
NestPlan held(std::int64_t rows, std::int64_t columns) {
  NestPlan out;
  out.cuts = {{32, 32, rows}, {64, 64, columns}, {64, 64, 1}};
  out.depths = {1, 1, 1};
  out.vector = columns > 1 ? 1 : -1;
  return out;
}

TEST(ComputeCost, LanesFollowFromTheLowestDimension) {
  const StageModel stage = testing::matmul(32, 64, 64);
  EXPECT_EQ(lane_access(stage.tensors[0], 1), LaneAccess::Same);
  EXPECT_EQ(lane_access(stage.tensors[1], 1), LaneAccess::Contiguous);
  EXPECT_EQ(lane_access(stage.tensors[0], 0), LaneAccess::Gathered);
}

TEST(ComputeCost, RegistersHoldFiveOfEight) {
  const StageModel stage = testing::matmul(32, 64, 64);
  const Target target = sunway();
  EXPECT_EQ(held_vectors(stage, product_body(), held(4, 16), target), 16);
  EXPECT_EQ(held_vectors(stage, product_body(), held(8, 16), target), 0);
  EXPECT_EQ(held_vectors(stage, product_body(), held(3, 16), target), 0);  // 32 is no multiple
  EXPECT_EQ(held_vectors(stage, product_body(), held(1, 32), target), 0);  // more than 4 vectors
}

TEST(ComputeCost, AProductComesNearWhatTheEmulatorCounts) {
  const StageModel stage = testing::matmul(32, 64, 64);
  const Target target = sunway();
  const double vectors = 32 * 64 * 64 / 4.0;
  // Cycles per multiply-add of a vector as the emulator has them, docs/vector_code.md.
  const double four = compute_cycles(stage, product_body(), held(4, 16), target) / vectors;
  EXPECT_NEAR(four, 1.56, 0.1);
  NestPlan copies = held(4, 16);
  copies.cuts[2].held = 2;
  EXPECT_NEAR(compute_cycles(stage, product_body(), copies, target) / vectors, 1.31, 0.07);
  copies.cuts[2].held = 4;
  EXPECT_NEAR(compute_cycles(stage, product_body(), copies, target) / vectors, 1.23, 0.05);
  const double one = compute_cycles(stage, product_body(), held(1, 16), target) / vectors;
  EXPECT_NEAR(one, 2.9, 0.4);
}

TEST(ComputeCost, AddressesAreAddedToWhereOffsetsAreShort) {
  const StageModel stage = testing::matmul(32, 64, 64);
  const Target pro = load_target("sw26010pro", {});
  BodyModel body = product_body();
  body.lanes = 8;
  StageModel turned = stage;  // rows of A side by side
  std::swap(turned.tensors[0].dims[0], turned.tensors[0].dims[1]);
  const auto cycles = [&](const StageModel& one, const Target& target) {
    return compute_cycles(one, body, held(16, 8), target);
  };
  EXPECT_GT(cycles(stage, pro), 1.1 * cycles(turned, pro));
  EXPECT_DOUBLE_EQ(cycles(stage, sunway()), cycles(turned, sunway()));
}

TEST(ComputeCost, CopiesOfAShortLoopDoNotPayForTheirCode) {
  StageModel stage = testing::matmul(4, 16, 4);
  const Target target = sunway();
  NestPlan plan{{{4, 4, 4}, {16, 16, 16}, {4, 4, 1}}, {}, {}, {}, 1, {1, 1, 1}};
  const double one = compute_cycles(stage, product_body(), plan, target);
  plan.cuts[2].held = 4;
  EXPECT_GT(compute_cycles(stage, product_body(), plan, target), one);
}

TEST(ComputeCost, LanesThatAddUpApartWaitLess) {
  StageModel stage = testing::matmul(32, 64, 64);
  std::swap(stage.tensors[1].dims[0], stage.tensors[1].dims[1]);
  const Target target = sunway();
  const auto across = [&](std::int64_t held) {
    NestPlan plan{{{32, 32, 1}, {64, 64, 1}, {64, 64, held}}, {}, {}, {}, 2, {1, 1, 1}};
    return compute_cycles(stage, product_body(), plan, target);
  };
  EXPECT_LT(across(64), compute_cycles(stage, product_body(), held(1, 1), target));
  EXPECT_LT(across(64), across(8));  // fewer strips have their lanes combined
}

TEST(ComputeCost, MoreInRegistersIsFaster) {
  const StageModel stage = testing::matmul(32, 64, 64);
  const Target target = sunway();
  const double four = compute_cycles(stage, product_body(), held(4, 16), target);
  const double two = compute_cycles(stage, product_body(), held(2, 16), target);
  const double numbers = compute_cycles(stage, product_body(), held(1, 1), target);
  EXPECT_LT(four, two);
  EXPECT_LT(2 * two, numbers);
}

TEST(ComputeCost, TheBusiestCoreCounts) {
  const StageModel stage = testing::matmul(33, 64, 64);
  const Target target = sunway();
  NestPlan plan = held(1, 16);
  plan.cuts[0] = {4, 4, 1};
  plan.parallel = {0};
  plan.grid = {8, 0};  // 9 parts: one core has two
  const double two = compute_cycles(stage, product_body(), plan, target);
  plan.grid = {9, 0};
  EXPECT_NEAR(two, 2 * compute_cycles(stage, product_body(), plan, target), 1e-6);
}

TEST(ComputeCost, MainMemoryCostsMoreThanABuffer) {
  const StageModel stage = testing::matmul(32, 64, 64);
  const Target target = sunway();
  NestPlan plan = held(4, 16);
  const double staged = compute_cycles(stage, product_body(), plan, target);
  plan.depths = {0, 1, 1};
  EXPECT_GT(compute_cycles(stage, product_body(), plan, target), 10 * staged);
}

TEST(ComputeCost, StatementsAreAddedEachWithTheLoopsAroundIt) {
  const StageModel stage = testing::matmul(32, 64, 64);
  const Target target = sunway();
  const NestPlan plan = held(1, 1);
  const double sum = compute_cycles(stage, product_body(), plan, target);
  StatementModel outer{stage, product_body(), {true, true, false}};
  outer.stage.loops[2].extent = 1;
  outer.body.is_reduction = false;
  NestPlan once = plan;
  once.cuts[2] = {1, 1, 1};
  const double rest = compute_cycles(outer.stage, outer.body, once, target);
  BodyModel both = product_body();
  both.statements = {{stage, product_body(), {true, true, true}}, outer};
  EXPECT_DOUBLE_EQ(compute_cycles(stage, both, plan, target), sum + rest);
  EXPECT_LT(rest, sum / 10);
}

}  // namespace
}  // namespace solway::memory_planner
