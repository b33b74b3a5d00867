#include "schedule/affine.h"

#include <gtest/gtest.h>

#include "schedule/split.h"
#include "schedule/unroll.h"

#include "tests/unit/schedule/random_schedules.h"
#include "tests/unit/schedule/scheduled.h"
#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(Affine, ReplacesLoopsByFunctionsOfThem) {
  const ScheduledMatmul m(2, 3, 4);
  const AffineResult r =
      affine(m.state, "C", "{ [x, y] -> [x + y, x] }", {"d", "x"}, samples::at(9));
  EXPECT_EQ(m.printed(r.state), R"(  for d in [0, 4) {
    for x in [max((d + -2), 0), min((d + 1), 2)) {
      C[x, (d - x)] = 0.0f32
      for k in [0, 4) {
        C[x, (d - x)] = (C[x, (d - x)] + (A[x, k] * B[k, (d - x)]))
      }
    }
  }
}
)");
  EXPECT_EQ(r.state.stage_loops.at("C"), (std::vector<LoopId>{r.loops[0], r.loops[1], m.lk}));
  EXPECT_EQ(r.state.log.back().results, r.loops);
}

TEST(Affine, TheIdentityChangesNothing) {
  const ScheduledMatmul m(2, 3, 4);
  const AffineResult r = affine(m.state, "C", "{ [y, k] -> [y, k] }", {}, samples::at(9));
  EXPECT_EQ(m.printed(r.state), m.printed(m.state));
}

TEST(Affine, ChangesTheNumberOfLoops) {
  const ScheduledMatmul m(2, 6, 4);
  const AffineResult tiles =
      affine(m.state, "C", "{ [y] -> [floor(y/4), y mod 4] }", {}, samples::at(9));
  EXPECT_EQ(loop_name(tiles.state, tiles.loops[0]), "y");
  EXPECT_EQ(loop_name(tiles.state, tiles.loops[1]), "d0");
  EXPECT_EQ(placements_of(tiles.state),
            (std::vector<std::string>{"C_init: x y d0", "C: x y d0 k"}));
  const AffineResult flat = affine(m.state, "C", "{ [x, y] -> [6x + y] }", {}, samples::at(9));
  EXPECT_EQ(flat.state.order.loop(flat.loops[0]).extent(), 12);
  const auto apart = refusal<ScheduleArgumentError>(
      [&] { affine(m.state, "C", "{ [x, k] -> [4x + k] }", {}, samples::at(9)); });
  EXPECT_EQ(apart.why, "'y' stands between them, and the map makes 1 loops of 2");
}

TEST(Affine, AnInitialisationStandsInWhatItsLoopsDecide) {
  const ScheduledMatmul m(2, 3, 4);
  const AffineResult r = affine(m.state, "C", "{ [y, k] -> [k, y + 2k] }", {}, samples::at(9));
  EXPECT_EQ(placements_of(r.state), (std::vector<std::string>{"C_init: x y", "C: x k y"}));
  EXPECT_EQ(r.state.order.loop(r.loops[0]).kind, dsl::AxisKind::Reduce);
  EXPECT_EQ(r.state.order.loop(r.loops[1]).end, 9);
}

TEST(Affine, NamesLoopsOfSplitsWithUnderscores) {
  const ScheduledMatmul m(2, 8, 4);
  const State split_up = split(m.state, "C", m.ly, 4, samples::at(8)).state;
  EXPECT_NO_THROW(affine(split_up, "C", "{ [y_o, y_i] -> [y_i, y_o] }", {}, samples::at(9)));
}

TEST(Affine, RefusesWhatIsNoSuchMap) {
  const ScheduledMatmul m(2, 3, 4);
  const auto refused = [&](const std::string& map, const std::vector<std::string>& names = {}) {
    const auto r =
        refusal<ScheduleArgumentError>([&] { affine(m.state, "C", map, names, samples::at(9)); });
    EXPECT_EQ(r.where.line, 9);
    EXPECT_EQ(r.what.find("affine(\"" + map + "\"): "), 0U) << r.what;
    return r.what.substr(map.size() + 12) + " | " + r.why;
  };
  EXPECT_EQ(refused("{ [x, y] -> "),
            "the text is no map | isl cannot read it, or it names what is not in its brackets");
  EXPECT_EQ(refused("[n] -> { [x] -> [x + n] }"),
            "the map has parameters | it may depend on the loops alone");
  EXPECT_EQ(refused("{ [x, z] -> [x] }"), "'z' is no loop of 'C' | its loops are 'x', 'y', 'k'");
  EXPECT_EQ(refused("{ [x, 2] -> [x] }"),
            "input 1 of the map has no name of its own | its loops are 'x', 'y', 'k'");
  EXPECT_EQ(refused("{ [x, y] -> [x + y, 0] }"),
            "the map puts two iterations in one place | [x=0, y=1] and [x=1, y=0] both become "
            "[1, 0]");
  EXPECT_EQ(refused("{ [x, y] -> [x, y] : y < 2 }"),
            "the map says nothing of [x=0, y=2] | each iteration of 'C' needs its place");
  EXPECT_EQ(refused("{ [x] -> [y] : 3x <= y <= 3x + 1 }"),
            "the map has several values for [x=0] | an iteration runs once");
  EXPECT_EQ(refused("{ [x, y] -> [y, x] }", {"a"}), "1 names for 2 loops | the map has 2 outputs");
  const State marked = unroll(m.state, "C", m.ly, samples::at(8));
  EXPECT_EQ(refusal<ScheduleArgumentError>([&] {
              affine(marked, "C", "{ [x, y] -> [y, x] }", {}, samples::at(9));
            }).why,
            "a marked loop stays one loop");
}

TEST(Affine, RefusesToTurnADependence) {
  State state = testing::make_state(jacobi_sample(4, 6));
  EXPECT_NO_THROW(affine(state, "S", "{ [l0, l1] -> [l0 + l1, l0] }", {}, samples::at(9)));
  const auto r = refusal<IllegalScheduleError>(
      [&] { affine(state, "S", "{ [l0, l1] -> [l1, l0] }", {}, samples::at(9)); });
  EXPECT_EQ(r.where.line, 9);
}

}  // namespace
}  // namespace solway::schedule
