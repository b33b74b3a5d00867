#include "schedule/rewrite_loops.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"
#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(ReplaceInPaths, EveryPathThatHasAllOfThem) {
  ScheduledMatmul m(2, 3, 4);
  replace_in_paths(m.state, {m.ly, m.lk}, {m.lx});
  EXPECT_EQ(placements_of(m.state), (std::vector<std::string>{"C_init: x y", "C: x x"}));
  EXPECT_EQ(m.state.stage_loops.at("C"), (std::vector<LoopId>{m.lx, m.lx}));
}

TEST(SetRange, HoldsAllValues) {
  const ScheduledMatmul m(2, 3, 4);
  Loop loop = m.state.order.loop(m.ly);
  for (auto& [name, value] : loop.value) value = value.scale(-3).add_constant(1);
  set_range(loop, m.state.program->domains());
  EXPECT_EQ(loop.begin, -5);
  EXPECT_EQ(loop.end, 2);
  const ScheduledMatmul empty(2, 0, 4);
  loop = empty.state.order.loop(empty.ly);
  set_range(loop, empty.state.program->domains());
  EXPECT_EQ(loop.extent(), 0);
}

TEST(RequireSmallRange, NamesTheRange) {
  Loop loop;
  loop.name = "i";
  loop.end = std::int64_t{1} << 60;
  EXPECT_NO_THROW(require_small_range(loop, "skew(i)", samples::at(9)));
  ++loop.end;
  const auto r =
      refusal<ScheduleArgumentError>([&] { require_small_range(loop, "skew(i)", samples::at(9)); });
  EXPECT_NE(r.why.find("they would lie in [0, 1152921504606846977)"), std::string::npos) << r.why;
}

TEST(RequireSerial, RefusesAMark) {
  Loop loop;
  loop.name = "i";
  EXPECT_NO_THROW(require_serial(loop, "split(i)", "split first", samples::at(9)));
  loop.mark = LoopMark::Unrolled;
  const auto r = refusal<ScheduleArgumentError>(
      [&] { require_serial(loop, "split(i)", "split first", samples::at(9)); });
  EXPECT_EQ(r.what, "split(i): 'i' is already marked");
  EXPECT_EQ(r.fix, "split first");
}

TEST(Proved, ALogWithTheStep) {
  const ScheduledMatmul m(2, 3, 4);
  const State s = proved(m.state, {"nothing", "C", {}, {}, samples::at(9)}, {"nothing()", {}});
  EXPECT_EQ(s.log.back().primitive, "nothing");
}

}  // namespace
}  // namespace solway::schedule
