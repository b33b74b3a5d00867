#include "schedule/shared_scope.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/compute_at.h"
#include "schedule/double_buffer.h"
#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "schedule/split.h"
#include "support/error.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs
using ::testing::HasSubstr;

/// C[x, y] in tiles, with the loops x, y.o, k.o, y.i, k.i.
const TiledMatmul& matmul() {
  static const TiledMatmul kMatmul(4, 8, 6, 4, 3);
  return kMatmul;
}

BufferRequest shared(const std::string& tensor, const std::vector<LoopId>& loops, LoopId at) {
  BufferRequest out = request_for(tensor, loops, at);
  out.scope = kSharedScope;
  return out;
}

/// All of B for all cores, and tiles of it for each.
State two_levels() {
  const TiledMatmul& m = matmul();
  const State outer =
      buffer_read(m.state, shared("B", {m.ko, m.ki, m.yo, m.yi}, -1), samples::at(9)).state;
  return buffer_read(outer, request_for("BB", {m.ki, m.yi}, m.ko), samples::at(10)).state;
}

template <typename ErrorType>
std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const ErrorType& e) {
    return e.what();
  }
  return "";
}

TEST(SharedScope, ABufferIsFilledFromTheOneForAllCores) {
  const State state = two_levels();
  EXPECT_TRUE(is_shared(state.program->array("BB")));
  EXPECT_FALSE(is_shared(state.program->array("B")));
  EXPECT_EQ(own_buffers(*state.program), std::set<std::string>{"BB_buf"});
  EXPECT_EQ(state.program->home_of("BB_buf"), "B");
  EXPECT_EQ(state.program->array("BB").shape, (std::vector<std::int64_t>{6, 8}));
  EXPECT_EQ(state.program->array("BB_buf").shape, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(state.log.back().arguments.size(), 3U);
}

TEST(SharedScope, IterationsOnDifferentCoresReadIt) {
  const TiledMatmul& m = matmul();
  const State state = parallel(two_levels(), "C", m.lx, samples::at(11));
  EXPECT_TRUE(is_shared_filled_outside(state));
  // Of a buffer that each core has for itself they may not.
  const State own =
      buffer_read(m.state, request_for("B", {m.ko, m.ki, m.yo, m.yi}, -1), samples::at(9)).state;
  EXPECT_THROW(parallel(own, "C", m.lx, samples::at(11)), IllegalScheduleError);
}

TEST(SharedScope, NothingFillsItInAParallelLoop) {
  const TiledMatmul& m = matmul();
  const State panels =
      buffer_read(m.state, shared("B", {m.ko, m.ki, m.yi}, m.yo), samples::at(9)).state;
  const std::string marked =
      error_of<IllegalScheduleError>([&] { parallel(panels, "C", m.lx, samples::at(11)); });
  EXPECT_THAT(marked, HasSubstr("would let several cores fill 'BB' at once"));
  EXPECT_THAT(marked, HasSubstr("inside the parallel loop 'x'"));
  const State first = parallel(m.state, "C", m.lx, samples::at(8));
  const std::string placed = error_of<IllegalScheduleError>([&] {
    buffer_read(first, shared("B", {m.ko, m.ki, m.yi}, m.yo), samples::at(9));
  });
  EXPECT_THAT(placed, HasSubstr("'BB' at once"));
  // Also where a loop is moved outside that makes it so.
  const State turned = reorder(m.state, "C", {m.yo, m.lx}, samples::at(8));
  const State outside =
      parallel(buffer_read(turned, shared("B", {m.ko, m.ki, m.yi}, m.yo), samples::at(9)).state,
               "C", m.lx, samples::at(11));
  EXPECT_TRUE(is_shared_filled_outside(outside));
  EXPECT_THROW(reorder(outside, "C", {m.lx, m.yo}, samples::at(12)), Error);
}

TEST(SharedScope, OneIterationIsNoExcuse) {
  const TiledMatmul m(1, 8, 6, 4, 3);
  const State first = parallel(m.state, "C", m.lx, samples::at(8));
  EXPECT_THROW(buffer_read(first, shared("B", {m.ko, m.ki, m.yi}, m.yo), samples::at(9)),
               IllegalScheduleError);
}

TEST(SharedScope, RefusesWhatItHasNot) {
  const TiledMatmul& m = matmul();
  EXPECT_THAT(error_of<UnsupportedError>(
                  [&] { buffer_write(m.state, shared("C", {m.yi}, m.yo), samples::at(9)); }),
              HasSubstr("they store from memory of their own"));
  BufferRequest aligned = shared("B", {m.ki, m.yi}, m.ko);
  aligned.align_bytes = 32;
  EXPECT_THAT(error_of<UnsupportedError>([&] { buffer_read(m.state, aligned, samples::at(9)); }),
              HasSubstr("align="));
  const State outer = two_levels();
  const State more =
      buffer_read(m.state, shared("B", {m.ko, m.ki, m.yo, m.yi}, -1), samples::at(9)).state;
  EXPECT_THAT(error_of<UnsupportedError>([&] {
                buffer_read(more, shared("BB", {m.ki, m.yi}, m.ko), samples::at(9));
              }),
              HasSubstr("no engine moves from there to there"));
  EXPECT_THAT(error_of<ScheduleArgumentError>([&] {
                buffer_read(outer, request_for("BB_buf", {m.ki, m.yi}, m.ko), samples::at(9));
              }),
              HasSubstr("is in near memory already"));
}

TEST(SharedScope, SlotsTurnOnBothLevels) {
  const TiledMatmul& m = matmul();
  const State turned = reorder(m.state, "C", {m.yo, m.lx}, samples::at(8));
  BufferRequest panel = shared("B", {m.ko, m.ki, m.yi}, m.yo);
  const State outer = buffer_read(turned, panel, samples::at(9)).state;
  const State inner =
      buffer_read(outer, request_for("BB", {m.ki, m.yi}, m.ko), samples::at(10)).state;
  const State late = double_buffer(inner, "BB", samples::at(11));
  EXPECT_EQ(late.program->array("BB").shape, (std::vector<std::int64_t>{2, 6, 4}));
  EXPECT_EQ(late.program->buffers.at("BB_buf").dims[0].dim, 1);
  panel.depth = 2;
  const State early = buffer_read(turned, panel, samples::at(9)).state;
  const State same =
      buffer_read(early, request_for("BB", {m.ki, m.yi}, m.ko), samples::at(10)).state;
  const auto& a = *late.program->statement("BB_buf_get_issue").copy;
  const auto& b = *same.program->statement("BB_buf_get_issue").copy;
  EXPECT_TRUE(a.elements.is_equal(b.elements));
  EXPECT_TRUE(a.storage.is_equal(b.storage));
  // And are numbered anew where the loop is another one.
  EXPECT_NO_THROW(split(same, "C", m.yo, 2, samples::at(12)));
}

}  // namespace
}  // namespace solway::schedule
