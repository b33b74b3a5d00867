#include "schedule/region.h"

#include <array>
#include <functional>
#include <random>

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

/// Values of x, yo, ko, yi, ki, the loops around the update of a tiled product.
using Loops = std::array<std::int64_t, 5>;
/// Of x, y, k, the iteration of the update.
using Function = std::function<std::int64_t(std::int64_t, std::int64_t, std::int64_t)>;

/// A product of 2 x 6 x 5 in tiles of 4 and 3, the last of which are cut: the loops' values are no
/// box.
struct CutTiles : TiledMatmul {
  CutTiles() : TiledMatmul(2, 6, 5, 4, 3) {}

  static std::vector<Loops> points() {
    std::vector<Loops> out;
    for (std::int64_t at = 0; at < 2 * 6 * 5; ++at) {
      const std::int64_t y = at / 5 % 6;
      const std::int64_t k = at % 5;
      out.push_back({at / 30, y / 4, k / 3, y % 4, k % 3});
    }
    return out;
  }

  /// The loops that two iterations with different values differ in alone.
  std::set<LoopId> enumerated(const Function& f) const {
    const std::array<LoopId, 5> ids{lx, yo, ko, yi, ki};
    const auto value = [&](const Loops& l) { return f(l[0], 4 * l[1] + l[3], 3 * l[2] + l[4]); };
    std::set<LoopId> out;
    for (const Loops& a : points()) {
      for (const Loops& b : points()) {
        std::vector<std::size_t> other;
        for (std::size_t k = 0; k < a.size(); ++k) {
          if (a[k] != b[k]) other.push_back(k);
        }
        if (other.size() == 1 && value(a) != value(b)) out.insert(ids[other[0]]);
      }
    }
    return out;
  }

  std::set<LoopId> found(const std::string& function) const {
    return dependent_loops(state, "C",
                           isl::pw_aff(state.program->ctx(), "{ C[x, y, k] -> " + function));
  }
};

std::int64_t floor_of(std::int64_t n, std::int64_t d) { return n / d - (n % d < 0 ? 1 : 0); }

TEST(Region, LoopsThatAQuotientDependsOnAreThoseOfEnumeration) {
  const CutTiles m;
  std::mt19937 random(71);
  const auto upto = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<unsigned>(high - low + 1));
  };
  std::set<std::set<LoopId>> seen;
  for (int round = 0; round < 60; ++round) {
    const std::int64_t a = upto(-1, 1), b = upto(-2, 2), c = upto(-2, 2), d = upto(2, 6);
    const bool is_rest = round % 2 == 0;
    const std::string sum =
        std::to_string(a) + "x + " + std::to_string(b) + "y + " + std::to_string(c) + "k";
    const std::string text = is_rest ? "((" + sum + ") mod " + std::to_string(d) + ")"
                                     : "(floor((" + sum + ")/" + std::to_string(d) + "))";
    const auto expected = m.enumerated([&](std::int64_t x, std::int64_t y, std::int64_t k) {
      const std::int64_t n = a * x + b * y + c * k;
      return is_rest ? n - d * floor_of(n, d) : floor_of(n, d);
    });
    EXPECT_EQ(m.found("[" + text + "] }"), expected) << text;
    seen.insert(expected);
  }
  EXPECT_GE(seen.size(), 10U);
}

TEST(Region, LoopsThatAPieceDependsOnAreThoseOfEnumeration) {
  const CutTiles m;
  // y in the first tile of columns alone, k for one row alone, what only the borders tell apart.
  EXPECT_EQ(m.found("[y] : y < 4; C[x, y, k] -> [4] : y >= 4 }"),
            m.enumerated([](auto, auto y, auto) { return std::min<std::int64_t>(y, 4); }));
  EXPECT_EQ(m.found("[k] : x = 1; C[x, y, k] -> [0] : x != 1 }"),
            m.enumerated([](auto x, auto, auto k) { return x == 1 ? k : 0; }));
  EXPECT_EQ(m.found("[1] : k = 4; C[x, y, k] -> [0] : k != 4 }"),
            m.enumerated([](auto, auto, auto k) { return k == 4 ? 1 : 0; }));
  EXPECT_EQ(m.found("[1] : y = 5 and k = 4; C[x, y, k] -> [0] : y != 5 or k != 4 }"),
            m.enumerated([](auto, auto y, auto k) { return y == 5 && k == 4 ? 1 : 0; }));
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
