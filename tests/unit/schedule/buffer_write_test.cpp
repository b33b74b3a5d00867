#include "schedule/buffer_write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/fuse.h"
#include "schedule/split.h"
#include "support/isl_ext.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs
using ::testing::ElementsAre;
using ::testing::HasSubstr;

BufferResult write(const State& state, const std::vector<LoopId>& loops, LoopId at) {
  return buffer_write(state, request_for("C", loops, at), samples::at(9));
}

TEST(BufferWrite, RefusesToStoreMoreThanWasComputed) {
  const ScheduledMatmul m(2, 3, 4);
  const FuseResult fused = fuse(m.state, "C", {m.lx, m.ly}, samples::at(7));
  const SplitResult s = split(fused.state, "C", fused.fused, 4, samples::at(8));
  const auto r = refusal<UnsupportedError>([&] {  // four elements of rows of three
    buffer_write(s.state, request_for("C", {s.inner}, s.outer), samples::at(9));
  });
  EXPECT_THAT(r.what, HasSubstr("is not a box"));
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
