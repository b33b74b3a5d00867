#include "schedule/loops_named.h"

#include <gtest/gtest.h>

#include "schedule/fuse.h"
#include "schedule/split.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

using Ids = std::vector<LoopId>;

TEST(LoopsNamed, ThePresentOnes) {
  const ScheduledMatmul m(4, 4, 4);
  EXPECT_EQ(loops_named(m.state, "C", "k"), Ids{m.lk});
  EXPECT_EQ(loops_named(m.state, "C", "z"), Ids{});
}

TEST(LoopsNamed, AReplacedOneWhereThereIsNoOther) {
  const ScheduledMatmul m(4, 4, 4);
  const SplitResult once = split(m.state, "C", m.lk, 2, samples::at(8));
  EXPECT_EQ(loops_named(once.state, "C", "k"), Ids{m.lk});
  EXPECT_EQ(loops_named(once.state, "C", "k.o"), Ids{once.outer});
  const FuseResult twice = fuse(once.state, "C", {once.outer, once.inner}, samples::at(9));
  EXPECT_EQ(loops_named(twice.state, "C", "k.i"), Ids{once.inner});
  EXPECT_EQ(loops_named(twice.state, "C", "k"), Ids{m.lk});
}

TEST(LoopsNamed, OfThisStageOnly) {
  const samples::Pipeline p(4);
  const State state = make_state({p.c}, samples::at(5));
  const LoopId own = state.stage_loops.at("P")[0];
  const SplitResult out = split(state, "P", own, 2, samples::at(8));
  const std::string name = loop_name(state, own);
  EXPECT_EQ(loops_named(out.state, "P", name), Ids{own});
  for (const LoopId id : loops_named(out.state, "C", name)) {
    EXPECT_EQ(out.state.order.loops.count(id), 1u);
  }
}

}  // namespace
}  // namespace solway::schedule
