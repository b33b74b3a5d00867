#include "schedule/parallel.h"

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Parallel, RefusesAReduction) {
  const ScheduledMatmul m(2, 3, 4);
  const auto cores =
      refusal<IllegalScheduleError>([&] { parallel(m.state, "C", m.lk, samples::at(9)); });
  EXPECT_EQ(cores.what,
            "parallel(k) would run C[x=0, y=0, k=0] and C[x=0, y=0, k=1] at the same time, but "
            "both access C[0, 0]");
  EXPECT_EQ(cores.where.line, 9);
}

TEST(Parallel, RefusesCoresThatWouldShareABuffer) {
  const TiledMatmul m(4, 8, 6, 4, 3);
  BufferRequest request = request_for("A", {}, m.lx);
  request.region.reset();
  const State buffered = buffer_read(m.state, request, samples::at(9)).state;
  EXPECT_NO_THROW(parallel(buffered, "C", m.lx, samples::at(10)));
  const auto report =
      refusal<IllegalScheduleError>([&] { parallel(buffered, "C", m.yo, samples::at(11)); });
  EXPECT_EQ(report.what, "parallel(y.o) would use 'AA' on a core that did not fill it");
  EXPECT_EQ(report.where.line, 11);
}

TEST(ParallelGrid, RunsNeighboursOnRowsAndColumns) {
  const ScheduledMatmul m(2, 3, 4);
  const State s = parallel_grid(m.state, "C", m.lx, m.ly, {2, 4}, samples::at(9));
  EXPECT_EQ(s.order.loop(m.lx).hardware, "row");
  EXPECT_EQ(s.order.loop(m.lx).parts, 2);
  EXPECT_EQ(s.order.loop(m.ly).hardware, "column");
  EXPECT_EQ(s.order.loop(m.ly).parts, 4);
  const auto apart = refusal<ScheduleArgumentError>([&] {
    parallel_grid(m.state, "C", m.ly, m.lx, {2, 4}, samples::at(10));
  });
  EXPECT_EQ(apart.what, "parallel(y, x, grid=(2, 4)): 'x' is not directly inside 'y'");
}

}  // namespace
}  // namespace solway::schedule
