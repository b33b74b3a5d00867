#include "schedule/broadcast.h"

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/parallel.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

/// x on `rows`, y.o on `columns`, and a buffer of each operand inside them.
State on_mesh(const TiledMatmul& m, std::int64_t rows, std::int64_t columns) {
  State s = parallel_grid(m.state, "C", m.lx, m.yo, {rows, columns}, samples::at(9));
  s = buffer_read(s, request_for("A", {m.ki}, m.ko), samples::at(10)).state;
  return buffer_read(s, request_for("B", {m.ki, m.yi}, m.ko), samples::at(11)).state;
}

TEST(Broadcast, MarksTheBufferAndStandsInTheLog) {
  const TiledMatmul m(4, 8, 6, 2, 3);
  const State s = broadcast(on_mesh(m, 2, 4), "AA", SharedBy::Row, samples::at(12));
  EXPECT_EQ(s.program->buffers.at("AA").shared_by, SharedBy::Row);
  EXPECT_EQ(s.program->buffers.at("AA").shared_at.line, 12);
  EXPECT_EQ(s.program->buffers.at("BB").shared_by, SharedBy::Core);
  EXPECT_EQ(s.log.back().primitive, "broadcast");
  EXPECT_EQ(std::get<StepText>(s.log.back().arguments[0].second).text, "{AA}");
  EXPECT_EQ(std::get<std::string>(s.log.back().arguments[1].second), "row");
}

TEST(Broadcast, NeedsABufferThatIsLoaded) {
  const TiledMatmul m(4, 8, 6, 2, 3);
  State s = on_mesh(m, 2, 4);
  EXPECT_THROW(broadcast(s, "A", SharedBy::Row, samples::at(12)), ScheduleArgumentError);
  s = buffer_write(s, request_for("C", {m.yi}, m.yo), samples::at(12)).state;
  const auto report =
      refusal<ScheduleArgumentError>([&] { broadcast(s, "CC", SharedBy::Row, samples::at(13)); });
  EXPECT_EQ(report.what, "broadcast(CC, over=\"row\"): 'CC' is not loaded");
}

TEST(Broadcast, NeedsCoresWithAsManyIterations) {
  const TiledMatmul m(4, 8, 6, 2, 3);
  const State s = on_mesh(m, 2, 3);
  EXPECT_THROW(broadcast(s, "AA", SharedBy::Row, samples::at(12)), ScheduleArgumentError);
  EXPECT_NO_THROW(broadcast(s, "BB", SharedBy::Column, samples::at(12)));
}

TEST(Broadcast, NamesWhoShares) {
  EXPECT_EQ(to_string(SharedBy::Core), "core");
  EXPECT_EQ(to_string(SharedBy::Row), "row");
  EXPECT_EQ(to_string(SharedBy::Column), "column");
  EXPECT_EQ(to_string(SharedBy::All), "all");
}

}  // namespace
}  // namespace solway::schedule
