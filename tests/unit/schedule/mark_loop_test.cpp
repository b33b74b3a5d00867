#include "schedule/mark_loop.h"

#include <gtest/gtest.h>

#include "schedule/buffer.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(MarkLoop, PrintsTheKindOfTheLoop) {
  const ScheduledMatmul m(2, 3, 4);
  State s = parallel(m.state, "C", m.lx, samples::at(9));
  s = vectorize(s, "C", m.ly, samples::at(9));
  s = unroll(s, "C", m.lk, samples::at(9));
  EXPECT_EQ(m.printed(s), R"(  for x in [0, 2) parallel {
    for y in [0, 3) vectorized {
      C[x, y] = 0.0f32
      for k in [0, 4) unrolled {
        C[x, y] = (C[x, y] + (A[x, k] * B[k, y]))
      }
    }
  }
}
)");
}

TEST(MarkLoop, ALoopOfOneIterationKeepsItsMark) {
  const ScheduledMatmul m(2, 1, 3);
  const std::string text = m.printed(parallel(m.state, "C", m.ly, samples::at(9)));
  EXPECT_NE(text.find("for y in [0, 1) parallel {"), std::string::npos) << text;
}

TEST(MarkLoop, RefusesReductionsOnCoresAndSecondMarks) {
  const ScheduledMatmul m(2, 3, 4);
  const auto cores =
      refusal<IllegalScheduleError>([&] { parallel(m.state, "C", m.lk, samples::at(9)); });
  EXPECT_EQ(cores.what,
            "parallel(k) would run C[x=0, y=0, k=0] and C[x=0, y=0, k=1] at the same time, but "
            "both access C[0, 0]");
  EXPECT_EQ(cores.where.line, 9);
  const State marked = unroll(m.state, "C", m.ly, samples::at(9));
  const auto twice =
      refusal<ScheduleArgumentError>([&] { vectorize(marked, "C", m.ly, samples::at(10)); });
  EXPECT_EQ(twice.why, "a loop runs in one way");
  EXPECT_EQ(twice.where.line, 10);
}

TEST(MarkLoop, RefusesCoresThatWouldShareABuffer) {
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

}  // namespace
}  // namespace solway::schedule
