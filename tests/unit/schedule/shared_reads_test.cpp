#include "schedule/shared_reads.h"

#include <gtest/gtest.h>

#include "schedule/broadcast.h"
#include "schedule/buffer_read.h"
#include "schedule/parallel.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

struct Meshed : TiledMatmul {
  Meshed() : TiledMatmul(4, 8, 6, 2, 3) {
    state = parallel_grid(state, "C", lx, yo, {2, 4}, samples::at(9));
    state = buffer_read(state, request_for("A", {ki}, ko), samples::at(10)).state;
    state = buffer_read(state, request_for("B", {ki, yi}, ko), samples::at(11)).state;
  }
  Buffer buffer(const std::string& name, SharedBy shared) const {
    Buffer out = state.program->buffers.at(name);
    out.shared_by = shared;
    return out;
  }
};

TEST(SharingLoops, TellCoresOfALineApart) {
  const Meshed m;
  EXPECT_EQ(sharing_loops(m.state, m.buffer("AA", SharedBy::Row)), std::vector<LoopId>{m.yo});
  EXPECT_EQ(sharing_loops(m.state, m.buffer("AA", SharedBy::Column)), std::vector<LoopId>{m.lx});
  EXPECT_EQ(sharing_loops(m.state, m.buffer("AA", SharedBy::All)),
            (std::vector<LoopId>{m.lx, m.yo}));
}

TEST(RequireSharedReadsLegal, TakesTheSameRegionOnAllCores) {
  const Meshed m;
  EXPECT_NO_THROW(broadcast(m.state, "AA", SharedBy::Row, samples::at(12)));
  EXPECT_NO_THROW(broadcast(m.state, "BB", SharedBy::Column, samples::at(12)));
}

TEST(RequireSharedReadsLegal, RefusesAnotherRegion) {
  const Meshed m;
  try {
    broadcast(m.state, "BB", SharedBy::Row, samples::at(12));
    FAIL() << "not refused";
  } catch (const IllegalScheduleError& e) {
    EXPECT_EQ(e.report().where.line, 12);
    EXPECT_EQ(e.report().why,
              "at x=0, y.o=1, k.o=0 it holds B[0, 2], at x=0, y.o=0, k.o=0 it does not; these are "
              "copied together (user.py:12)");
    EXPECT_EQ(e.violation().tensor, "B");
    EXPECT_EQ(e.violation().element, (std::vector<std::int64_t>{0, 2}));
  }
  EXPECT_THROW(broadcast(m.state, "BB", SharedBy::All, samples::at(12)), IllegalScheduleError);
  EXPECT_THROW(broadcast(m.state, "AA", SharedBy::All, samples::at(12)), IllegalScheduleError);
  EXPECT_THROW(broadcast(m.state, "AA", SharedBy::Column, samples::at(12)), IllegalScheduleError);
}

}  // namespace
}  // namespace solway::schedule
