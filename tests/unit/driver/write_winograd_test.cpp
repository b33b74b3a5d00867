#include "driver/write_winograd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dsl/winograd.h"
#include "schedule/split.h"

#include "tests/unit/driver/plane_samples.h"
#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::driver {
namespace {

using memory_planner::testing::vector_machine;
using samples::at;
using testing::blocked_convolution;
using ::testing::ElementsAre;

std::vector<std::string> loops(const schedule::State& state, const std::string& stage) {
  std::vector<std::string> out;
  for (const schedule::LoopId id : state.stage_loops.at(stage)) {
    out.push_back(schedule::loop_name(state, id));
  }
  return out;
}

TEST(WriteWinograd, PlacesAllStagesInTheLoopsOfTheResult) {
  const dsl::Tensor c = dsl::winograd(blocked_convolution(32, 64, 8), 4, at(8));
  const schedule::State state = schedule::make_state({c}, at(8));
  ASSERT_EQ(open_winograd(state, c), c);
  const auto made = write_winograd(state, c, vector_machine(), at(9));
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->shared, "f.o");  // one block
  EXPECT_THAT(loops(made->state, "C"),
              ElementsAre("y.o.o", "x.o.o", "f.o", "f.i", "y.o.i", "x.o.i", "y.i", "x.i", "v"));
  EXPECT_EQ(made->state.draft_of, nullptr);
  EXPECT_EQ(open_winograd(made->state, c), nullptr);
}

TEST(WriteWinograd, SharesRowsOfBlocksOut) {
  const dsl::Tensor c = dsl::winograd(blocked_convolution(32, 64, 64), 4, at(8));
  const auto made = write_winograd(schedule::make_state({c}, at(8)), c, vector_machine(), at(9));
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->shared, "y.o.o");
}

TEST(WriteWinograd, SharesEachStageOfOneBlockOutByItself) {
  const dsl::Tensor c = dsl::winograd(blocked_convolution(128, 256, 14), 2, at(8));
  const auto made = write_winograd(schedule::make_state({c}, at(8)), c, vector_machine(), at(9));
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->shared, "f.o");
  // The sums of all panels, which no loop of the result is around.
  EXPECT_EQ(loops(made->state, "C_M").front(), "i.j");
  for (const char* stage : {"C_V", "C_M"}) {
    const schedule::LoopId outermost = made->state.stage_loops.at(stage).front();
    EXPECT_EQ(made->state.order.loop(outermost).mark, schedule::LoopMark::Parallel) << stage;
  }
}

TEST(WriteWinograd, TakesWhatReadsTheResultElementByElement) {
  const dsl::Tensor c = dsl::winograd(blocked_convolution(32, 64, 8), 4, at(8));
  std::vector<dsl::Axis> axes;
  std::vector<dsl::Expr> index;
  for (const dsl::Axis& axis : c->axis) {
    axes.push_back(dsl::make_axis(axis->name, dsl::AxisKind::Spatial, 0, axis->end, at(10)));
    index.push_back(dsl::make_axis_ref(axes.back(), at(10)));
  }
  const dsl::Expr relu =
      dsl::make_binary(BinaryOp::Max, dsl::make_read(c, index, at(10)),
                       dsl::make_float(0, DType::Float32, false, at(10)), at(10));
  const dsl::Tensor d = dsl::make_compute(c->extents(), axes, relu, "D", at(10));
  const auto made = write_winograd(schedule::make_state({d}, at(8)), c, vector_machine(), at(9));
  ASSERT_TRUE(made.has_value());
  EXPECT_THAT(made->stages, ElementsAre("C", "D"));
  ASSERT_EQ(made->passes.size(), 1U);
  EXPECT_GT(made->passes[0], 0);
  EXPECT_TRUE(schedule::statements_of(made->state, "C").empty());
  EXPECT_EQ(loops(made->state, "D").size(), 9U);
  // An output is stored in any case.
  const auto both = write_winograd(schedule::make_state({c, d}, at(8)), c, vector_machine(), at(9));
  ASSERT_TRUE(both.has_value());
  EXPECT_THAT(both->stages, ElementsAre("C"));
}

TEST(WriteWinograd, LeavesChainsThatTheUserHasScheduled) {
  const dsl::Tensor c = dsl::winograd(blocked_convolution(32, 64, 8), 4, at(8));
  const schedule::State state = schedule::make_state({c}, at(8));
  const schedule::LoopId loop = state.stage_loops.at("C_M")[0];
  const schedule::State touched = schedule::split(state, "C_M", loop, 2, at(9)).state;
  EXPECT_EQ(open_winograd(touched, c), nullptr);
  EXPECT_EQ(open_winograd(state, state.program->stages.front()), nullptr);
}

}  // namespace
}  // namespace solway::driver
