#include "schedule/fission.h"

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/fuse.h"
#include "schedule/unroll.h"

#include "tests/unit/schedule/random_schedules.h"
#include "tests/unit/schedule/scheduled.h"
#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Fission, GivesEachStatementALoop) {
  const ScheduledMatmul m(2, 3, 4);
  const FissionResult r = fission(m.state, "C", m.lx, samples::at(9));
  EXPECT_EQ(m.printed(r.state), R"(  for x_0 in [0, 2) {
    for y in [0, 3) {
      C[x_0, y] = 0.0f32
    }
  }
  for x_1 in [0, 2) {
    for y in [0, 3) {
      for k in [0, 4) {
        C[x_1, y] = (C[x_1, y] + (A[x_1, k] * B[k, y]))
      }
    }
  }
}
)");
  EXPECT_EQ(r.state.stage_loops.at("C"), (std::vector<LoopId>{r.loops[0], r.loops[1], m.ly, m.lk}));
  EXPECT_EQ(r.state.replaced.at(m.lx).by, r.loops);
}

TEST(Fission, LoopsFurtherInAreFissionedByThemselves) {
  const ScheduledMatmul m(2, 3, 4);
  const FissionResult x = fission(m.state, "C", m.lx, samples::at(9));
  const FissionResult y = fission(x.state, "C", m.ly, samples::at(10));
  EXPECT_EQ(placements_of(y.state), (std::vector<std::string>{"C_init: x.0 y.0", "C: x.1 y.1 k"}));
  for (const std::size_t k : {0U, 1U}) {
    const State fused = fuse(y.state, "C", {x.loops[k], y.loops[k]}, samples::at(11)).state;
    EXPECT_EQ(fused.stage_loops.at("C").size(), 4U);
  }
}

TEST(Fission, ALoopOfOneStatementStays) {
  const ScheduledMatmul m(2, 3, 4);
  const FissionResult r = fission(m.state, "C", m.lk, samples::at(9));
  EXPECT_EQ(r.loops, std::vector<LoopId>{m.lk});
  EXPECT_EQ(m.printed(r.state), m.printed(m.state));
}

TEST(Fission, KeepsABufferWithItsUsers) {
  const TiledMatmul m(4, 8, 6, 4, 3);
  BufferRequest request = request_for("A", {}, m.lx);
  request.region.reset();
  const State buffered = buffer_read(m.state, request, samples::at(9)).state;
  const FissionResult r = fission(buffered, "C", m.lx, samples::at(10));
  EXPECT_EQ(placements_of(r.state),
            (std::vector<std::string>{"AA_get_issue: x", "AA_get_complete: x", "C_init: x y.o y.i",
                                      "C: x y.o k.o y.i k.i"}));
}

TEST(Fission, KeepsTheMark) {
  const ScheduledMatmul m(2, 3, 4);
  const State marked = unroll(m.state, "C", m.lx, samples::at(8));
  const FissionResult r = fission(marked, "C", m.lx, samples::at(9));
  EXPECT_EQ(r.state.order.loop(r.loops[0]).mark, LoopMark::Unrolled);
  EXPECT_EQ(r.state.order.loop(r.loops[1]).mark, LoopMark::Unrolled);
}

TEST(Fission, RefusesToTurnADependence) {
  // Both statements of one loop; the second one's result goes into the first one's next value.
  PlainStatement s{"S", StatementKind::Compute, upto({4}), {"s", {}}, {}, false};
  PlainStatement t{"T", StatementKind::Compute, upto({4}), {"B", {axis_at(1, 0)}}, {}, false};
  t.reads.push_back({"s", {}});
  const State state =
      testing::make_state({"scalar", nested({s, t}, {{{0}, {0}}, {{0}, {0}}}), {"B"}});
  const auto r = refusal<IllegalScheduleError>([&] { fission(state, "S", 0, samples::at(9)); });
  EXPECT_EQ(r.what,
            "fission(l0) would run S[d0=1] before T[d0=0], which still reads what it overwrites");
  EXPECT_EQ(r.where.line, 9);
}

}  // namespace
}  // namespace solway::schedule
