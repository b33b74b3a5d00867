#include "schedule/specialize.h"

#include <gmock/gmock.h>

#include "dsl/recurrence.h"
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

TEST(Specialize, ConditionsHoldTogether) {
  const ScheduledMatmul m(4, 2, 3);
  const std::vector<RegionItem> both = {below(m.state, m.lx, 3), below(m.state, m.ly, 1)};
  const State state = specialize(m.state, "C", both, samples::at(6)).state;
  const auto is_domain = [&](const std::string& statement, const std::string& text) {
    const isl::set& domain = state.program->statement(statement).domain;
    return domain.is_equal(isl::set(domain.ctx(), text));
  };
  EXPECT_TRUE(is_domain("C", "{ C[x, y, k] : 0 <= x < 3 and y = 0 and 0 <= k < 3 }"));
  EXPECT_TRUE(is_domain("C_else",
                        "{ C_else[x, y, k] : 0 <= x < 4 and 0 <= y < 2 and 0 <= k < 3 and "
                        "(x = 3 or y = 1) }"));
}

TEST(Specialize, AVersionDoesNotRunBeforeWhatItReads) {
  // H[i] reads H[i - 1]: the version of large i stands first.
  const dsl::Tensor self = dsl::make_self({6}, DType::Float32, "H", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 6, samples::at(2));
  const auto number = [](std::int64_t value) {
    return dsl::make_int(value, DType::Int64, true, {});
  };
  const dsl::Expr first =
      dsl::make_binary(BinaryOp::Ge, samples::value_of(i), number(1), samples::at(2));
  const dsl::Expr before = dsl::make_read(
      self, {dsl::make_binary(BinaryOp::Sub, samples::value_of(i), number(1), {})}, samples::at(2));
  const dsl::Expr body = dsl::make_select(
      first, before, dsl::make_float(1, DType::Float32, false, {}), samples::at(2));
  const State state =
      make_state({dsl::make_recurrence(self, {i}, body, nullptr, samples::at(2))}, samples::at(3));
  const LoopId loop = state.stage_loops.at("H")[0];
  EXPECT_NO_THROW(specialize(state, "H", {below(state, loop, 2)}, samples::at(6)));
  RegionItem from = below(state, loop, 2);
  from.index = dsl::make_binary(BinaryOp::Ge, from.index->operands[0], number(2), {});
  const Error::Report report =
      refusal<IllegalScheduleError>([&] { specialize(state, "H", {from}, samples::at(6)); });
  EXPECT_THAT(report.why, HasSubstr("H[i=2] (user.py:2) reads H[1]"));
}

}  // namespace
}  // namespace solway::schedule
