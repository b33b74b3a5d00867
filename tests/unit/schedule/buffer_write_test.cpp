#include "schedule/buffer_write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/fuse.h"
#include "schedule/split.h"
#include "support/isl_ext.h"

#include "tests/unit/schedule/tiled_triangle.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs
using ::testing::ElementsAre;
using ::testing::HasSubstr;

BufferResult write(const State& state, const std::vector<LoopId>& loops, LoopId at) {
  return buffer_write(state, request_for("C", loops, at), samples::at(9));
}

TEST(BufferWrite, StoresPartsOfFusedRowsRowByRow) {
  const ScheduledMatmul m(2, 3, 4);
  const FuseResult fused = fuse(m.state, "C", {m.lx, m.ly}, samples::at(7));
  const SplitResult s = split(fused.state, "C", fused.fused, 4, samples::at(8));
  // Four elements of rows of three: all of the first, one of the second; then two of the second.
  const BufferResult r =
      buffer_write(s.state, request_for("C", {s.inner}, s.outer), samples::at(9));
  const Copy& put = *r.state.program->statement("CC_put_issue").copy;
  EXPECT_THAT(put.rows, ElementsAre(0));
  EXPECT_EQ(isl_ext::try_count(put.elements.range()), 6);
}

TEST(BufferWrite, StoresExactlyWhatATileOfATriangleComputed) {
  const TiledSquares squares(32, 8, 16, below_the_diagonal);
  const BufferResult r = squares.write(squares.jo);
  const Statement& put = r.state.program->statement("CC_put_issue");
  EXPECT_THAT(put.copy->rows, ElementsAre(0));
  EXPECT_THAT(r.state.program->array(r.buffer).shape, ElementsAre(8, 16));
  const isl::map expected(put.writes[0].relation.ctx(),
                          "{ CC_put_issue[io, jo] -> C[i, j] : 8io <= i < 8io + 8 and "
                          "16jo <= j < 16jo + 16 and 0 <= j <= i < 32 }");
  EXPECT_TRUE(put.writes[0].relation.is_equal(expected))
      << isl_ext::to_string(put.writes[0].relation);
  EXPECT_EQ(r.state.program->statements.count("CC_get_issue"), 0u);
}

TEST(BufferWrite, RefusesWhatHasGapsInItsRows) {
  const TiledSquares squares(8, 4, 8, like_a_chessboard);
  const auto r = refusal<UnsupportedError>([&] { squares.write(squares.io); });
  EXPECT_THAT(r.what, HasSubstr("is not a box"));
  EXPECT_THAT(r.why, HasSubstr("more than what was computed must not be stored"));
}

TEST(BufferWrite, OfAWholeReductionInitialisesInTheBuffer) {
  const TiledMatmul m(1, 1024, 1024, 128, 64);
  const BufferResult r = write(m.state, {m.yi}, m.yo);
  EXPECT_THAT(placements_of(r.state), ElementsAre("C_init: x y.o y.i", "C: x y.o k.o y.i k.i",
                                                  "CC_put_issue: x y.o", "CC_put_complete: x y.o"));
  EXPECT_EQ(isl_ext::tuple_name(r.state.program->statement("C_init").writes[0].relation,
                                isl_ext::Dim::Range),
            "CC");
}

TEST(BufferWrite, OfAPartOfAReductionLoadsFirst) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const BufferResult r = write(m.state, {m.yi}, m.ko);
  EXPECT_THAT(
      placements_of(r.state),
      ElementsAre("C_init: x y.o y.i", "CC_get_issue: x y.o k.o", "CC_get_complete: x y.o k.o",
                  "C: x y.o k.o y.i k.i", "CC_put_issue: x y.o k.o", "CC_put_complete: x y.o k.o"));
}

TEST(BufferWrite, StoresExactlyWhatAPartialTileComputed) {
  const TiledMatmul m(1, 10, 6, 4, 3);
  const BufferResult r = write(m.state, {m.yi}, m.yo);
  const isl::map stored = r.state.program->statement("CC_put_issue").writes[0].relation;
  const isl::map expected(stored.ctx(),
                          "{ CC_put_issue[0, yo] -> C[0, y] : 0 <= yo < 3 and "
                          "4yo <= y < 4yo + 4 and y < 10 }");
  EXPECT_TRUE(stored.is_equal(expected)) << isl_ext::to_string(stored);
}

}  // namespace
}  // namespace solway::schedule
