#include "schedule/split.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Split, StripMinesALoop) {
  const ScheduledMatmul m(2, 8, 3);
  const SplitResult r = split(m.state, "C", m.ly, 4, samples::at(9));
  EXPECT_EQ(m.printed(r.state), R"(  for x in [0, 2) {
    for y_o in [0, 2) {
      for y_i in [0, 4) {
        C[x, ((y_o * 4) + y_i)] = 0.0f32
        for k in [0, 3) {
          C[x, ((y_o * 4) + y_i)] = (C[x, ((y_o * 4) + y_i)] + (A[x, k] * B[k, ((y_o * 4) + y_i)]))
        }
      }
    }
  }
}
)");
  EXPECT_EQ(r.state.stage_loops.at("C"), (std::vector<LoopId>{m.lx, r.outer, r.inner, m.lk}));
  EXPECT_EQ(r.state.log.back().primitive, "split");
  EXPECT_EQ(m.state.log.size(), 0U);
}

TEST(Split, CutsTheLastBlock) {
  const ScheduledMatmul m(2, 3, 4);
  const SplitResult r = split(m.state, "C", m.ly, 2, samples::at(9));
  EXPECT_EQ(r.state.order.loop(r.outer).extent(), 2);
  EXPECT_NE(m.printed(r.state).find("for y_i in [0, min(((y_o * -2) + 3), 2)) {"),
            std::string::npos);
}

TEST(Split, AFactorBeyondTheExtentMakesOneBlock) {
  const ScheduledMatmul m(2, 3, 4);
  const SplitResult r = split(m.state, "C", m.ly, 7, samples::at(9));
  EXPECT_EQ(r.state.order.loop(r.outer).extent(), 1);
  EXPECT_EQ(r.state.order.loop(r.inner).extent(), 3);
  EXPECT_NE(m.printed(r.state).find("for y_o in [0, 1) {\n      for y_i in [0, 3) {"),
            std::string::npos);
  const ScheduledMatmul empty(2, 0, 4);
  EXPECT_EQ(empty.printed(split(empty.state, "C", empty.ly, 7, samples::at(9)).state), "}\n");
}

TEST(Split, RefusesAFactorBelowOneAndAReplacedAxis) {
  const ScheduledMatmul m(2, 3, 4);
  const auto bad =
      refusal<ScheduleArgumentError>([&] { split(m.state, "C", m.ly, 0, samples::at(9)); });
  EXPECT_EQ(bad.what, "split(y, factor=0): the factor is not positive");
  EXPECT_EQ(bad.why, "a block of 0 iterations is empty");
  EXPECT_EQ(bad.where.line, 9);
  const State once = split(m.state, "C", m.ly, 2, samples::at(9)).state;
  const auto gone =
      refusal<ScheduleArgumentError>([&] { split(once, "C", m.ly, 2, samples::at(10)); });
  EXPECT_EQ(gone.why.find("split(y, factor=2) at user.py:9"), 0U) << gone.why;
  EXPECT_EQ(gone.where.line, 10);
}

TEST(Split, IntoParts) {
  const ScheduledMatmul m(2, 10, 3);
  EXPECT_EQ(factor_of_parts(m.state, m.ly, 3, samples::at(9)), 4);
  EXPECT_EQ(factor_of_parts(m.state, m.ly, 5, samples::at(9)), 2);
  EXPECT_EQ(factor_of_parts(m.state, m.ly, 100, samples::at(9)), 1);
  const auto none =
      refusal<ScheduleArgumentError>([&] { factor_of_parts(m.state, m.ly, 0, samples::at(9)); });
  EXPECT_EQ(none.what, "split into 0 parts");
}

}  // namespace
}  // namespace solway::schedule
