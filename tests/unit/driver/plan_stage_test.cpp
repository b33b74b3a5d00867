#include "driver/plan_stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsl/update.h"
#include "schedule/buffer_read.h"
#include "schedule/split.h"
#include "schedule/vectorize.h"
#include "support/error.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::driver {
namespace {

using schedule::testing::ScheduledMatmul;
using testing::ElementsAre;
using testing::IsEmpty;

struct Planned : ScheduledMatmul {
  Target target = load_target("sw26010", samples::at(1));
  memory_planner::PlanMemo plans;
  memory_planner::Decided decided;

  Planned() : ScheduledMatmul(64, 64, 64) {}

  AutoBufferResult plan(bool is_optimal, std::int64_t bytes = 60000) {
    AutoBufferResult out{state, {}, {}};
    plan_stage(out, c, {bytes, 32}, {target, is_optimal, plans, decided, nullptr, samples::at(9)});
    return out;
  }
};

TEST(PlanStage, BySearchOrByTheGreedyPlanner) {
  Planned m;
  for (const bool is_optimal : {true, false}) {
    const AutoBufferResult r = m.plan(is_optimal);
    ASSERT_EQ(r.choices.size(), 1U);
    EXPECT_EQ(r.choices[0].planner, is_optimal ? "optimal" : "greedy");
    EXPECT_EQ(r.choices[0].cycles >= 0, is_optimal);
    EXPECT_EQ(r.choices[0].room_bytes, 60000);
    EXPECT_LE(r.choices[0].buffer_bytes, 60000);
    EXPECT_FALSE(r.state.log.empty());
    EXPECT_THAT(r.remarks, IsEmpty());
  }
  EXPECT_EQ(m.plans.searches(), 1U);
}

TEST(PlanStage, WithinTheRoomThatThereIs) {
  Planned m;
  for (const bool is_optimal : {true, false}) {
    const AutoBufferResult r = m.plan(is_optimal, 3000);
    EXPECT_GT(r.choices[0].buffer_bytes, 0);
    EXPECT_LE(r.choices[0].buffer_bytes, 3000);
    EXPECT_THROW(m.plan(is_optimal, 0), CapacityError);
  }
}

TEST(PlanStage, LoopsInVectorsAreSearchedAround) {
  Planned m;
  const auto made = schedule::split(m.state, "C", m.ly, 16, samples::at(6));
  m.state = schedule::vectorize(made.state, "C", made.inner, samples::at(7));
  const AutoBufferResult r = m.plan(true);
  EXPECT_EQ(r.choices[0].planner, "optimal");
  EXPECT_TRUE(r.remarks.empty());
  EXPECT_EQ(r.state.order.loop(made.inner).mark, schedule::LoopMark::Vectorized);
}

TEST(PlanStage, VectorsThatAreNotCountedArePlannedAsByGreedy) {
  Planned m;
  const auto made = schedule::split(m.state, "C", m.lx, 8, samples::at(6));
  m.state = schedule::vectorize(made.state, "C", made.inner, samples::at(7));
  const AutoBufferResult r = m.plan(true);
  EXPECT_EQ(r.choices[0].planner, "greedy");
  ASSERT_EQ(r.remarks.size(), 1U);
  EXPECT_EQ(r.remarks[0].verdict, "planned as by planner=\"greedy\"");
}

TEST(PlanStage, OthersGoWhereABufferStands) {
  Planned m;
  schedule::BufferRequest request;
  request.stage = "C";
  request.tensor = "A";
  request.at = m.lx;
  m.state = schedule::buffer_read(m.state, request, samples::at(6)).state;
  const AutoBufferResult r = m.plan(true);
  EXPECT_THAT(r.choices[0].order, ElementsAre("x", "y", "k"));
  ASSERT_EQ(r.remarks.size(), 1U);
  EXPECT_EQ(r.remarks[0].verdict, "kept its loops");
}

/// U[i + 1] = U[i]
dsl::Tensor shifted_by_one() {
  const dsl::Tensor u = dsl::make_placeholder({9}, DType::Float32, "U", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, samples::at(2));
  const dsl::Expr next =
      dsl::make_binary(BinaryOp::Add, samples::value_of(i),
                       dsl::make_int(1, DType::Int64, true, samples::at(2)), samples::at(2));
  const dsl::Expr value = dsl::make_read(u, {samples::value_of(i)}, samples::at(2));
  return dsl::make_update(u, {i}, {next}, value, nullptr, "V", samples::at(2));
}

TEST(PlanStage, SaysWhetherDependencesKeepTheOrder) {
  const Target target = load_target("sw26010", samples::at(1));
  memory_planner::PlanMemo plans;
  const memory_planner::Decided decided;
  const StagePlanning how{target, true, plans, decided, nullptr, samples::at(9)};
  const auto order_of = [&](const dsl::Tensor& stage) {
    AutoBufferResult out{schedule::make_state({stage}, samples::at(3)), {}, {}};
    return plan_stage(out, stage, {60000, 32}, how);
  };
  EXPECT_EQ(order_of(samples::Matmul(64, 64, 64).c), LoopOrder::Planned);
  EXPECT_EQ(order_of(shifted_by_one()), LoopOrder::KeptByDependences);
}

}  // namespace
}  // namespace solway::driver
