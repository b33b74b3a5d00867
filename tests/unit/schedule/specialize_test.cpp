#include "schedule/specialize.h"

#include <gmock/gmock.h>

#include "schedule/split.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using ::testing::HasSubstr;
using testing::refusal;
using testing::ScheduledMatmul;

/// `axis` < `bound` as a condition on a loop.
RegionItem below(const State& state, LoopId loop, std::int64_t bound) {
  const dsl::Axis axis =
      dsl::make_axis("l" + std::to_string(loop), dsl::AxisKind::Spatial,
                     state.order.loop(loop).begin, state.order.loop(loop).end, {});
  RegionItem out;
  out.index = dsl::make_binary(BinaryOp::Lt, dsl::make_axis_ref(axis, {}),
                               dsl::make_int(bound, DType::Int64, true, {}), {});
  out.axes = {{axis, loop}};
  return out;
}

TEST(Specialize, GivesEachVersionLoopsOfItsOwn) {
  const ScheduledMatmul m(10, 2, 3);
  const SplitResult tiles = split(m.state, "C", m.lx, 4, samples::at(6));
  const SpecializeResult made =
      specialize(tiles.state, "C", {below(tiles.state, tiles.outer, 2)}, samples::at(7));
  EXPECT_EQ(made.rest->name, "C_else");
  EXPECT_EQ(m.printed(made.state), R"(  for x_o in [0, 2) {
    for x_i in [0, 4) {
      for y in [0, 2) {
        C[((x_o * 4) + x_i), y] = 0.0f32
        for k in [0, 3) {
          C[((x_o * 4) + x_i), y] = (C[((x_o * 4) + x_i), y] + (A[((x_o * 4) + x_i), k] * B[k, y]))
        }
      }
    }
  }
  for x_o in [2, 3) {
    for x_i in [0, 2) {
      for y in [0, 2) {
        C[(x_i + 8), y] = 0.0f32
        for k in [0, 3) {
          C[(x_i + 8), y] = (C[(x_i + 8), y] + (A[(x_i + 8), k] * B[k, y]))
        }
      }
    }
  }
}
)");
}

TEST(Specialize, KeepsTheLoopsOfTheFirstVersion) {
  const ScheduledMatmul m(4, 2, 3);
  const State state = specialize(m.state, "C", {below(m.state, m.lx, 3)}, samples::at(6)).state;
  EXPECT_EQ(state.stage_loops.at("C"), m.state.stage_loops.at("C"));
  EXPECT_EQ(state.order.loop(m.lx).end, 3);
  const std::vector<LoopId>& rest = state.stage_loops.at("C_else");
  ASSERT_EQ(rest.size(), 3U);
  EXPECT_EQ(state.order.loop(rest[0]).begin, 3);
  EXPECT_EQ(state.order.loop(rest[0]).end, 4);
}

TEST(Specialize, LeavesAStatementWithoutTheAxisInTheFirstVersion) {
  const ScheduledMatmul m(4, 2, 3);
  const State state = specialize(m.state, "C", {below(m.state, m.lk, 2)}, samples::at(6)).state;
  EXPECT_EQ(statements_of(state, "C").size(), 2U);
  EXPECT_EQ(statements_of(state, "C_else"), std::vector<std::string>{"C_else"});
}

TEST(Specialize, RefusesAConditionThatAlwaysHolds) {
  const ScheduledMatmul m(4, 2, 3);
  const Error::Report report = refusal<ScheduleArgumentError>(
      [&] { specialize(m.state, "C", {below(m.state, m.lx, 4)}, samples::at(6)); });
  EXPECT_THAT(report.what, HasSubstr("the condition always holds"));
}

}  // namespace
}  // namespace solway::schedule
