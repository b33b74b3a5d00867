#include "schedule/state.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(MakeState, RunsStagesAsWritten) {
  const ScheduledMatmul m(2, 3, 4);
  EXPECT_EQ(statements_of(m.state, "C"), (std::vector<std::string>{"C_init", "C"}));
  EXPECT_EQ(loop_name(m.state, m.lk), "k");
  EXPECT_TRUE(m.state.log.empty());
}

TEST(MakeState, RefusesPlaceholdersAndNothing) {
  const ScheduledMatmul m(2, 3, 4);
  const auto input = refusal<DslError>([&] { make_state({m.a}, samples::at(9)); });
  EXPECT_EQ(input.what, "'A' has nothing to schedule");
  EXPECT_EQ(input.where.line, 9);
  EXPECT_EQ(refusal<DslError>([&] { make_state({}, samples::at(9)); }).why, "got an empty list");
}

TEST(RequireLoop, NamesTheStageOfAnotherLoop) {
  const samples::Pipeline p(4);
  const State state = make_state({p.c}, samples::at(5));
  const LoopId other = state.stage_loops.at("P")[0];
  const auto r = refusal<ScheduleArgumentError>(
      [&] { require_loop(state, "C", other, "split", samples::at(9)); });
  EXPECT_EQ(r.why, "it belongs to 'P'");
  EXPECT_EQ(r.where.line, 9);
  EXPECT_EQ(refusal<ScheduleArgumentError>([&] {
              require_loop(state, "C", 99, "split", samples::at(9));
            }).why,
            "it was made for another schedule");
}

}  // namespace
}  // namespace solway::schedule
