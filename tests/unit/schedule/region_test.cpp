#include "schedule/region.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

RegionItem expression(const dsl::Expr& index, std::vector<std::pair<dsl::Axis, LoopId>> axes) {
  RegionItem out;
  out.index = index;
  out.axes = std::move(axes);
  return out;
}

TEST(Region, FindsTheAccessesOfAStage) {
  const ScheduledMatmul m(2, 8, 3);
  EXPECT_EQ(accesses_of(m.state, "C", "A", AccessKind::Reads).size(), 1U);
  // The initialisation's write, the update's write and its accumulator.
  EXPECT_EQ(accesses_of(m.state, "C", "C", AccessKind::Writes).size(), 3U);
  EXPECT_FALSE(accesses_of(m.state, "C", "A", AccessKind::Writes).front().is_write);
}

TEST(Region, DependsOnTheLoopsThatASplitMade) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const auto loops = dependent_loops(m.state, accesses_of(m.state, "C", "B", AccessKind::Reads));
  ASSERT_EQ(loops.size(), 2U);
  EXPECT_EQ(loops[0], (std::set<LoopId>{m.ko, m.ki}));
  EXPECT_EQ(loops[1], (std::set<LoopId>{m.yo, m.yi}));
}

TEST(Region, DependsOnNothingWhereALoopHasOneIteration) {
  const TiledMatmul m(1, 8, 6, 8, 3);
  const auto loops = dependent_loops(m.state, accesses_of(m.state, "C", "A", AccessKind::Reads));
  EXPECT_TRUE(loops[0].empty());
}

TEST(Region, ALoopMatchesTheDimensionsThatDependOnIt) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const auto accesses = accesses_of(m.state, "C", "B", AccessKind::Reads);
  const RegionItem item = region_of({m.yi})[0];
  EXPECT_FALSE(matches(m.state, accesses, item, 0, {m.yi, m.ki}));
  EXPECT_TRUE(matches(m.state, accesses, item, 1, {m.yi, m.ki}));
}

TEST(Region, ALoopOfOneIterationStillNamesItsDimension) {
  const TiledMatmul m(1, 8, 6, 4, 3);
  const auto accesses = accesses_of(m.state, "C", "A", AccessKind::Reads);
  EXPECT_TRUE(matches(m.state, accesses, region_of({m.lx})[0], 0, {m.lx}));
  EXPECT_FALSE(matches(m.state, accesses, region_of({m.lx})[0], 1, {m.lx}));
}

TEST(Region, IsPythonTextInAStep) {
  const dsl::Axis y = dsl::make_axis("y", dsl::AxisKind::Spatial, 0, 4, samples::at(9));
  const dsl::Expr twice =
      dsl::make_binary(BinaryOp::Mul, samples::value_of(y),
                       dsl::make_int(2, DType::Int64, true, samples::at(9)), samples::at(9));
  Region region = region_of({7});
  region.push_back(expression(twice, {{y, 12}}));
  EXPECT_EQ(step_text(region).text, "[{7}, {12} * 2]");
  EXPECT_EQ(step_text(Region{}).text, "[]");
}

TEST(Region, AnExpressionMatchesUpToWhatIsFixedOutside) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const auto accesses = accesses_of(m.state, "C", "B", AccessKind::Reads);
  const dsl::Axis yi = dsl::make_axis("yi", dsl::AxisKind::Spatial, 0, 4, samples::at(9));
  const dsl::Expr value = samples::value_of(yi);
  const RegionItem plain = expression(value, {{yi, m.yi}});
  EXPECT_TRUE(matches(m.state, accesses, plain, 1, {m.yi, m.ki}));
  EXPECT_FALSE(matches(m.state, accesses, plain, 0, {m.yi, m.ki}));
  // With yo inside too, 4*yo is no longer fixed.
  EXPECT_FALSE(matches(m.state, accesses, plain, 1, {m.yo, m.yi, m.ki}));
  const RegionItem twice = expression(
      dsl::make_binary(BinaryOp::Mul, value, dsl::make_int(2, DType::Int64, true, samples::at(9)),
                       samples::at(9)),
      {{yi, m.yi}});
  EXPECT_FALSE(matches(m.state, accesses, twice, 1, {m.yi, m.ki}));
}

TEST(Region, RefusesAnExpressionThatIsNotAffine) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const dsl::Axis yi = dsl::make_axis("yi", dsl::AxisKind::Spatial, 0, 4, samples::at(9));
  const dsl::Expr square =
      dsl::make_binary(BinaryOp::Mul, samples::value_of(yi), samples::value_of(yi), samples::at(9));
  const auto accesses = accesses_of(m.state, "C", "B", AccessKind::Reads);
  const auto report = refusal<ScheduleArgumentError>([&] {
    matches(m.state, accesses, expression(square, {{yi, m.yi}}), 1, {m.yi});
  });
  EXPECT_EQ(report.what, "'yi * yi' is no region");
}

TEST(Region, PrintsAsTheUserWroteIt) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  EXPECT_EQ(to_string(m.state, region_of({m.ki, m.yi})), "[k.i, y.i]");
}

}  // namespace
}  // namespace solway::schedule
