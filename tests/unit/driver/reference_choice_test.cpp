#include "driver/reference_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_planner/plan_memo.h"

#include "tests/support/far_references.h"

namespace solway::driver {
namespace {

using schedule::State;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Chosen {
  memory_planner::PlanMemo plans;
  ReferenceChoice choice;
};

Chosen choose(const dsl::Tensor& output, std::int64_t room_bytes = 60000) {
  const State state = schedule::make_state({output}, {});
  const Target target = load_target("sw26010", samples::at(1));
  Chosen out;
  out.choice = choose_references(state, output->name, target, {room_bytes, 32}, out.plans, {});
  return out;
}

TEST(ReferenceChoice, HalvesOfATensorHaveABufferEach) {
  const Chosen made = choose(samples::sum_of_points(1 << 15, {0, 1 << 15}));
  EXPECT_THAT(made.choice.apart, ElementsAre("X"));
  ASSERT_EQ(made.choice.decisions.size(), 1U);
  const memory_planner::Decision& decision = made.choice.decisions[0];
  EXPECT_EQ(decision.what, "references to X");
  EXPECT_EQ(decision.chosen, "a buffer for each: X[i]; X[i + 32768]");
  EXPECT_THAT(decision.instead, HasSubstr("in main memory"));
  EXPECT_GT(decision.instead_cycles, 10 * decision.cycles);
  EXPECT_EQ(decision.cycles, made.choice.cycles);
}

TEST(ReferenceChoice, AWindowIsNotLookedAtTwice) {
  const Chosen made = choose(samples::sum_of_points(1 << 15, {0, 1, 2}));
  EXPECT_THAT(made.choice.apart, IsEmpty());
  EXPECT_THAT(made.choice.decisions, IsEmpty());
  EXPECT_EQ(made.plans.searches(), 1U);
}

TEST(ReferenceChoice, NearOnesShareABox) {
  const Chosen made = choose(samples::sum_of_points(1 << 15, {0, 8}));
  EXPECT_THAT(made.choice.apart, IsEmpty());
  ASSERT_EQ(made.choice.decisions.size(), 1U);
  EXPECT_EQ(made.choice.decisions[0].chosen, "one buffer around all");
  EXPECT_THAT(made.choice.decisions[0].instead, HasSubstr("a buffer for each"));
  EXPECT_GT(made.choice.decisions[0].instead_cycles, made.choice.cycles);
}

TEST(ReferenceChoice, AMirrorImageHasABufferOfItsOwn) {
  const Chosen made = choose(samples::with_its_mirror_image(512));
  EXPECT_THAT(made.choice.apart, ElementsAre("X"));
}

TEST(ReferenceChoice, WhatHasNoRoomIsNotChosen) {
  const Chosen made = choose(samples::sum_of_points(1 << 12, {0, 1 << 12}), 16);
  EXPECT_THAT(made.choice.apart, IsEmpty());
}

}  // namespace
}  // namespace solway::driver
