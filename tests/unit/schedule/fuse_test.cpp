#include "schedule/fuse.h"

#include <gtest/gtest.h>

#include "schedule/split.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Fuse, MergesTwoLoops) {
  const ScheduledMatmul m(2, 3, 4);
  const FuseResult r = fuse(m.state, "C", {m.lx, m.ly}, samples::at(9));
  EXPECT_EQ(m.printed(r.state), R"(  for x_y in [0, 6) {
    C[(x_y // 3), (x_y % 3)] = 0.0f32
    for k in [0, 4) {
      C[(x_y // 3), (x_y % 3)] = (C[(x_y // 3), (x_y % 3)] + (A[(x_y // 3), k] * B[k, (x_y % 3)]))
    }
  }
}
)");
}

TEST(Fuse, KeepsALoopOfOneIteration) {
  const ScheduledMatmul m(1, 1, 2);
  const std::string text = m.printed(fuse(m.state, "C", {m.lx, m.ly}, samples::at(9)).state);
  EXPECT_NE(text.find("for x_y in [0, 1) {"), std::string::npos) << text;
}

TEST(Fuse, AFusedLoopHasAllIterations) {
  const ScheduledMatmul m(2, 4, 3);
  const SplitResult y = split(m.state, "C", m.ly, 2, samples::at(8));
  const FuseResult inner = fuse(y.state, "C", {y.outer, y.inner}, samples::at(9));
  EXPECT_EQ(inner.state.order.loop(inner.fused).extent(), 4);
  const FuseResult all = fuse(inner.state, "C", {m.lx, inner.fused}, samples::at(9));
  EXPECT_EQ(all.state.order.loop(all.fused).extent(), 8);
}

TEST(Fuse, RefusesWhatIsNotNeighbouring) {
  const ScheduledMatmul m(2, 3, 4);
  const auto why = [&](const std::vector<LoopId>& axes) {
    const auto r =
        refusal<ScheduleArgumentError>([&] { fuse(m.state, "C", axes, samples::at(9)); });
    EXPECT_EQ(r.where.line, 9);
    return r.why;
  };
  EXPECT_EQ(why({m.lx, m.lk}), "only neighbouring loops become one, outermost first");
  EXPECT_EQ(why({m.ly, m.lx}), "only neighbouring loops become one, outermost first");
  EXPECT_EQ(why({m.ly, m.lk}), "one is a spatial axis, the other a reduction axis");
  EXPECT_EQ(why({m.lx}), "got 1");
}

TEST(Fuse, RefusesAxesOfDifferentReductions) {
  const auto sum = [](const std::string& name, const dsl::Tensor& a) {
    const dsl::Axis k = dsl::make_axis(name, dsl::AxisKind::Reduce, 0, 4, samples::at(2));
    const dsl::Expr read = dsl::make_read(a, {samples::value_of(k)}, samples::at(2));
    return dsl::make_reduce(ReduceOp::Sum, read, {k}, samples::at(2));
  };
  const dsl::Tensor a = dsl::make_placeholder({4}, DType::Float32, "A", samples::at(1));
  const dsl::Expr product =
      dsl::make_binary(BinaryOp::Mul, sum("k", a), sum("l", a), samples::at(2));
  const dsl::Tensor c = dsl::make_compute({}, {}, product, "C", samples::at(2));
  const State state = make_state({c}, samples::at(3));
  const auto r = refusal<ScheduleArgumentError>(
      [&] { fuse(state, "C", state.stage_loops.at("C"), samples::at(9)); });
  EXPECT_EQ(r.why, "they are axes of different reductions");
  EXPECT_EQ(r.where.line, 9);
}

}  // namespace
}  // namespace solway::schedule
