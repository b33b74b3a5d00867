#include "schedule/fuse_with.h"

#include <gtest/gtest.h>

#include "lowering/ir/printer.h"
#include "lowering/lower.h"
#include "schedule/fission.h"
#include "schedule/shift.h"
#include "schedule/split.h"
#include "schedule/unroll.h"

#include "tests/unit/schedule/scheduled.h"
#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

/// P[i] = A[i] + A[i + 1]; C[i] = P[i] * P[i + 1].
struct Pipeline : samples::Pipeline {
  State state;
  LoopId lp, lc;

  explicit Pipeline(std::int64_t n)
      : samples::Pipeline(n), state(schedule::make_state({c}, samples::at(5))) {
    lp = state.stage_loops.at("P").front();
    lc = state.stage_loops.at("C").front();
  }

  std::string printed(const State& s) const {
    const std::string all = ir::to_string(lowering::lower(s, {a, c}, "k", {}).kernel);
    return all.substr(all.find('\n') + 1);
  }
};

TEST(FuseWith, AShiftedProducerRunsAhead) {
  const Pipeline p(4);
  const State ahead = shift(p.state, "P", p.lp, -1, samples::at(8));
  const State s = fuse_with(ahead, "P", "C", p.lc, samples::at(9));
  EXPECT_EQ(p.printed(s), R"(  allocate P: float32[5] {
    for i in [-1, 4) {
      P[(i + 1)] = (A[(i + 1)] + A[(i + 2)])
      if (i >= 0) {
        C[i] = (P[i] * P[(i + 1)])
      }
    }
  }
}
)");
  EXPECT_EQ(s.stage_loops.at("P"), std::vector<LoopId>{p.lc});
  EXPECT_EQ(s.replaced.at(p.lp).by, std::vector<LoopId>{p.lc});
  // The loop now runs both stages.
  const SplitResult parts = split(s, "C", p.lc, 2, samples::at(10));
  EXPECT_EQ(parts.state.stage_loops.at("P"), (std::vector<LoopId>{parts.outer, parts.inner}));
}

TEST(FuseWith, RefusesAProducerThatIsLate) {
  const Pipeline p(4);
  const auto r =
      refusal<IllegalScheduleError>([&] { fuse_with(p.state, "P", "C", p.lc, samples::at(9)); });
  EXPECT_EQ(r.what, "fuse_with(C, i) would run C[i=0] before P[i=1], which it reads");
  EXPECT_EQ(r.where.line, 9);
}

TEST(FuseWith, TheConsumerMayJoinTheProducer) {
  const Pipeline p(4);
  const State late = shift(p.state, "C", p.lc, 1, samples::at(8));
  const State s = fuse_with(late, "C", "P", p.lp, samples::at(9));
  EXPECT_EQ(placements_of(s), (std::vector<std::string>{"P: i", "C: i"}));
  EXPECT_EQ(s.order.loop(p.lp).end, 5);
}

TEST(FuseWith, FissionUndoesIt) {
  const Pipeline p(4);
  const State ahead = shift(p.state, "P", p.lp, -1, samples::at(8));
  const FissionResult r =
      fission(fuse_with(ahead, "P", "C", p.lc, samples::at(9)), "C", p.lc, samples::at(10));
  EXPECT_EQ(placements_of(r.state), (std::vector<std::string>{"P: i.0", "C: i.1"}));
  EXPECT_EQ(r.state.order.loop(r.loops[1]).begin, 0);
}

TEST(FuseWith, RefusesWhatDoesNotPair) {
  const Pipeline p(4);
  const auto refused = [&](const State& s, const std::string& stage, const std::string& other,
                           LoopId axis) {
    const auto r =
        refusal<ScheduleArgumentError>([&] { fuse_with(s, stage, other, axis, samples::at(9)); });
    EXPECT_EQ(r.where.line, 9);
    return r.what + " | " + r.why;
  };
  const SplitResult c = split(p.state, "C", p.lc, 2, samples::at(8));
  EXPECT_EQ(refused(c.state, "P", "C", c.inner),
            "fuse_with(C, i.i): 'P' has too few loops | it has 1, and 'i.i' is loop 2 of 'C', "
            "counted from the outside");
  EXPECT_EQ(refused(p.state, "P", "P", p.lp),
            "fuse_with(P, i): 'P' is fused with itself | its statements are in its loops already");
  const State marked = unroll(p.state, "P", p.lp, samples::at(8));
  EXPECT_EQ(refused(marked, "P", "C", p.lc),
            "fuse_with(C, i): 'i' is already marked | a marked loop stays one loop");
}

}  // namespace
}  // namespace solway::schedule
