#include "schedule/buffer_read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/isl_ext.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs
using ::testing::ElementsAre;
using ::testing::HasSubstr;

BufferResult read(const State& state, const std::string& tensor, const std::vector<LoopId>& loops,
                  LoopId at) {
  return buffer_read(state, request_for(tensor, loops, at), samples::at(9));
}

TEST(BufferRead, PutsAnIssueAndAWaitBeforeTheFirstReader) {
  const TiledMatmul m(1, 1024, 1024, 128, 64);
  const BufferResult r = read(m.state, "B", {m.ki, m.yi}, m.ko);
  EXPECT_EQ(r.buffer, "BB");
  EXPECT_THAT(placements_of(r.state),
              ElementsAre("C_init: x y.o y.i", "BB_get_issue: x y.o k.o",
                          "BB_get_complete: x y.o k.o", "C: x y.o k.o y.i k.i"));
  const Array& array = r.state.program->array("BB");
  EXPECT_EQ(array.kind, ArrayKind::Buffer);
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{64, 128}));
  EXPECT_THAT(r.state.program->buffers.at("BB").dim_names, ElementsAre("k.i", "y.i"));
  EXPECT_EQ(r.state.log.back().buffer, "BB");
  // The state before is untouched.
  EXPECT_EQ(m.state.program->buffers.size(), 0U);
  EXPECT_EQ(r.state.original, m.state.original);
}

TEST(BufferRead, ReadersIndexTheBuffer) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const BufferResult r = read(m.state, "A", {m.ki}, m.ko);
  const isl::map relation = r.state.program->statement("C").reads[1].relation;
  const isl::map expected(
      relation.ctx(), "{ C[x, y, k] -> AA[k mod 3] : 0 <= x < 2 and 0 <= y < 8 and 0 <= k < 6 }");
  EXPECT_TRUE(relation.is_equal(expected)) << isl_ext::to_string(relation);
}

TEST(BufferRead, FollowsTheLayout) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  BufferRequest request = request_for("B", {m.ki, m.yi}, m.ko);
  request.layout = {1, 0};
  const BufferResult r = buffer_read(m.state, request, samples::at(9));
  EXPECT_EQ(r.state.program->array("BB").shape, (std::vector<std::int64_t>{4, 3}));
  EXPECT_THAT(r.state.program->buffers.at("BB").dim_names, ElementsAre("y.i", "k.i"));
}

TEST(BufferRead, WithoutARegionHoldsWhatTheLoopsInsideTouch) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  BufferRequest request = request_for("B", {}, m.yo);
  request.region.reset();
  const BufferResult r = buffer_read(m.state, request, samples::at(9));
  EXPECT_EQ(r.state.program->array("BB").shape, (std::vector<std::int64_t>{6, 4}));
}

TEST(BufferRead, InWholeUnitsBeginsWithinOneAsMainMemoryDoes) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  BufferRequest request = request_for("B", {m.ki, m.yi}, m.ko);
  request.align_bytes = 32;  // a row: tiles begin with it, or in the middle
  const BufferResult r = buffer_read(m.state, request, samples::at(9));
  EXPECT_EQ(r.state.program->buffers.at("BB").unit_elems, 8);
  EXPECT_EQ(r.state.program->array("BB").shape, (std::vector<std::int64_t>{3, 8}));
  const isl::map relation = r.state.program->statement("C").reads[2].relation;
  const isl::map expected(relation.ctx(),
                          "{ C[x, y, k] -> BB[k mod 3, y] : 0 <= x < 2 and 0 <= y < 8 and 0 <= k < "
                          "6 }");
  EXPECT_TRUE(relation.is_equal(expected)) << isl_ext::to_string(relation);
  EXPECT_EQ(std::get<std::int64_t>(r.state.log.back().arguments.back().second), 32);
}

TEST(BufferRead, InWholeUnitsTakesRowsOfTheTensorOnly) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  BufferRequest request = request_for("B", {m.ki, m.yi}, m.ko);
  request.align_bytes = 32;
  request.layout = {1, 0};
  EXPECT_THROW(buffer_read(m.state, request, samples::at(9)), UnsupportedError);
  request.layout = {};
  request.align_bytes = 6;
  EXPECT_THROW(buffer_read(m.state, request, samples::at(9)), ScheduleArgumentError);
}

}  // namespace
}  // namespace solway::schedule
