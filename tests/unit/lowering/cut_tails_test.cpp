#include "lowering/cut_tails.h"

#include <gtest/gtest.h>

#include "schedule/fuse.h"
#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "schedule/split.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::lowering {
namespace {

using schedule::LoopId;
using schedule::SplitResult;
using schedule::State;
using schedule::TailStrategy;
using schedule::testing::ScheduledMatmul;

SplitResult cut(const State& state, LoopId axis, std::int64_t factor) {
  return schedule::split(state, "C", axis, factor, samples::at(9), TailStrategy::Cut);
}

TEST(CutTails, WholeBlocksAndTheRestAreNestsOfTheirOwn) {
  const ScheduledMatmul m(1, 10, 3);
  EXPECT_EQ(m.printed(cut(m.state, m.ly, 4).state), R"(  for x in [0, 1) {
    for y_o in [0, 2) {
      for y_i in [0, 4) {
        C[x, ((y_o * 4) + y_i)] = 0.0f32
        for k in [0, 3) {
          C[x, ((y_o * 4) + y_i)] = (C[x, ((y_o * 4) + y_i)] + (A[x, k] * B[k, ((y_o * 4) + y_i)]))
        }
      }
    }
    for y_i in [0, 2) {
      C[x, (y_i + 8)] = 0.0f32
      for k in [0, 3) {
        C[x, (y_i + 8)] = (C[x, (y_i + 8)] + (A[x, k] * B[k, (y_i + 8)]))
      }
    }
  }
}
)");
}

TEST(CutTails, AFactorThatDividesLeavesOneNest) {
  const ScheduledMatmul m(1, 8, 3);
  const State guarded = schedule::split(m.state, "C", m.ly, 4, samples::at(9)).state;
  EXPECT_EQ(m.printed(cut(m.state, m.ly, 4).state), m.printed(guarded));
}

TEST(CutTails, ALaterPrimitiveKeepsTheCut) {
  const ScheduledMatmul m(2, 10, 3);
  const SplitResult y = cut(m.state, m.ly, 4);
  const SplitResult again = schedule::split(y.state, "C", y.outer, 2, samples::at(10));
  const std::string text = m.printed(again.state);
  EXPECT_EQ(text.find("min("), std::string::npos) << text;
  const State fused = schedule::fuse(y.state, "C", {m.lx, y.outer}, samples::at(10)).state;
  EXPECT_EQ(m.printed(fused).find("min("), std::string::npos) << m.printed(fused);
}

TEST(CutTails, AMarkedLoopStaysOneLoop) {
  const ScheduledMatmul m(2, 10, 3);
  const SplitResult y = cut(m.state, m.ly, 4);
  const std::string text = m.printed(schedule::parallel(y.state, "C", y.outer, samples::at(10)));
  EXPECT_NE(text.find("for y_o in [0, 3) parallel {"), std::string::npos) << text;
  EXPECT_EQ(text.find("parallel", text.find("parallel") + 1), std::string::npos) << text;
  EXPECT_NE(text.find("for y_i in [0, 4) {"), std::string::npos) << text;
}

TEST(CutTails, CutsTilesInBothDirections) {
  const ScheduledMatmul m(7, 10, 3);
  const SplitResult x = cut(m.state, m.lx, 3);
  const SplitResult y = cut(x.state, m.ly, 4);
  const State tiled =
      schedule::reorder(y.state, "C", {x.outer, y.outer, x.inner, y.inner}, samples::at(10));
  const std::string text = m.printed(tiled);
  EXPECT_EQ(text.find("min("), std::string::npos) << text;
  EXPECT_NE(text.find("for x_o in [0, 2) {\n    for y_o in [0, 2) {\n      for x_i in [0, 3) {\n"
                      "        for y_i in [0, 4) {"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace solway::lowering
