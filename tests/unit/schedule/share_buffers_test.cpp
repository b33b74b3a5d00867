#include "schedule/share_buffers.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/parallel.h"
#include "schedule/shared_scope.h"
#include "support/error.h"
#include "support/target.h"

#include "tests/unit/schedule/scheduled.h"
#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

/// C[x, y] in tiles, with the loops x, y.o, k.o, y.i, k.i.
const TiledMatmul& matmul() {
  static const TiledMatmul kMatmul(4, 8, 6, 4, 3);
  return kMatmul;
}

std::set<std::string> shared_of(const State& state) {
  std::set<std::string> out;
  for (const auto& [name, buffer] : state.program->buffers) {
    if (is_shared(state.program->array(name))) out.insert(name);
  }
  return out;
}

TEST(ShareBuffers, WhatIsFilledOutsideAndReadInside) {
  const TiledMatmul& m = matmul();
  const State outside =
      buffer_read(m.state, request_for("B", {m.ko, m.ki, m.yo, m.yi}, -1), samples::at(9)).state;
  const State both =
      buffer_read(outside, request_for("A", {m.ko, m.ki}, m.lx), samples::at(10)).state;
  EXPECT_THROW(parallel(both, "C", m.lx, samples::at(11)), IllegalScheduleError);
  const State made = share_buffers(both, m.lx);
  EXPECT_EQ(shared_of(made), std::set<std::string>{"BB"});
  EXPECT_NO_THROW(parallel(made, "C", m.lx, samples::at(11)));
  EXPECT_EQ(shared_of(share_buffers(both, m.yo)), (std::set<std::string>{"AA", "BB"}));
  EXPECT_TRUE(shared_of(both).empty());  // which stays as it was
}

TEST(ShareBuffers, TheLogSaysSoBeforeTheLayout) {
  const TiledMatmul& m = matmul();
  BufferRequest request = request_for("B", {m.ko, m.ki, m.yo, m.yi}, -1);
  request.layout = {1, 0};
  const State made = share_buffers(buffer_read(m.state, request, samples::at(9)).state, m.lx);
  std::vector<std::string> names;
  for (const auto& [name, value] : made.log.back().arguments) names.push_back(name);
  EXPECT_THAT(names, ::testing::ElementsAre("", "region", "scope", "layout"));
}

TEST(ShareBuffers, WhatIsStoredThroughABufferStays) {
  const TiledMatmul& m = matmul();
  const State made = buffer_write(m.state, request_for("C", {m.yi}, m.yo), samples::at(9)).state;
  EXPECT_TRUE(shared_of(share_buffers(made, m.ko)).empty());
}

TEST(ShareBuffers, SlotsStay) {
  const TiledMatmul& m = matmul();
  BufferRequest request = request_for("B", {m.ki, m.yi}, m.ko);
  request.depth = 2;
  const State made = buffer_read(m.state, request, samples::at(9)).state;
  EXPECT_TRUE(shared_of(share_buffers(made, m.yi)).empty());
}

}  // namespace
}  // namespace solway::schedule
