#include "schedule/transfers_in_place.h"

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/fuse.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(TransfersInPlace, LoopsOnOneSideMayChangePlaces) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State s = buffer_read(m.state, request_for("B", {m.ki, m.yi}, m.ko), samples::at(9)).state;
  EXPECT_NO_THROW(reorder(s, "C", {m.ki, m.yi}, samples::at(10)));
  const State outside = reorder(s, "C", {m.ko, m.yo}, samples::at(10));
  EXPECT_EQ(placements_of(outside)[1], "BB_get_issue: x k.o y.o");
}

TEST(TransfersInPlace, NoLoopMovesAcross) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State s = buffer_read(m.state, request_for("B", {m.ki, m.yi}, m.ko), samples::at(9)).state;
  const auto report = refusal<ScheduleArgumentError>([&] {
    reorder(s, "C", {m.yi, m.ko}, samples::at(10));
  });
  EXPECT_EQ(report.what, "reorder(y.i, k.o) moves a loop across a transfer");
  EXPECT_EQ(report.why, "'BB' is loaded inside 'k.o', where buffer(B) put it");
}

TEST(TransfersInPlace, NoFusionAcross) {
  const ScheduledMatmul m(2, 8, 6);
  BufferRequest request = request_for("C", {}, m.lx);
  request.region.reset();
  const State s = buffer_write(m.state, request, samples::at(9)).state;
  const auto report = refusal<ScheduleArgumentError>([&] {
    fuse(s, "C", {m.lx, m.ly}, samples::at(10));
  });
  EXPECT_EQ(report.what, "fuse(x, y) moves a loop across a transfer");
  EXPECT_EQ(report.why, "'CC' is stored inside 'x', where buffer(C) put it");
}

}  // namespace
}  // namespace solway::schedule
