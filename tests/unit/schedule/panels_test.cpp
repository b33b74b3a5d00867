#include "schedule/panels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "support/isl_ext.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<BufferDim> dims_of(const std::variant<std::vector<PanelDim>, NoPanels>& panels) {
  std::vector<BufferDim> out;
  for (const PanelDim& one : std::get<std::vector<PanelDim>>(panels)) out.push_back(one.dim);
  return out;
}

TEST(PanelsOf, ALoopOfSeveralAlongADimensionIsADigit) {
  const TiledMatmul m(2, 10, 6, 4, 3);
  const auto accesses = accesses_of(m.state, "C", "B", AccessKind::Reads);
  const auto panels = panels_of(m.state, accesses, {m.yo, m.ki, m.yi});
  EXPECT_EQ(dims_of(panels), (std::vector<BufferDim>{{1, 4, 0}, {0}, {1, 1, 4}}));
  const auto& found = std::get<std::vector<PanelDim>>(panels);
  EXPECT_EQ(found[0].loop, m.yo);
  EXPECT_EQ(found[2].loop, m.yi);
}

TEST(PanelsOf, NeighboursThatGoOnAreOneDimension) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const auto accesses = accesses_of(m.state, "C", "B", AccessKind::Reads);
  const auto panels = panels_of(m.state, accesses, {m.yo, m.ko, m.ki, m.yi});
  EXPECT_EQ(dims_of(panels), (std::vector<BufferDim>{{1, 4, 0}, {0, 1, 0}, {1, 1, 4}}));
  EXPECT_EQ(std::get<std::vector<PanelDim>>(panels)[1].loop, -1);
  const auto reversed = panels_of(m.state, accesses, {m.ki, m.ko});
  EXPECT_EQ(dims_of(reversed), (std::vector<BufferDim>{{0, 1, 3}, {0, 3, 0}}));
}

TEST(PanelsOf, ALoopThatMovesNoIndexHasNoPanels) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const auto accesses = accesses_of(m.state, "C", "B", AccessKind::Reads);
  const auto panels = panels_of(m.state, accesses, {m.lx, m.yi});
  EXPECT_EQ(std::get<NoPanels>(panels).what, "'x' does not run along one dimension");
}

TEST(PanelsOf, InnerPanelsMustCountNeighbours) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const SplitResult y = split(m.state, "C", m.yi, 2, samples::at(9));
  const auto accesses = accesses_of(y.state, "C", "B", AccessKind::Reads);
  const auto panels = panels_of(y.state, accesses, {m.yo, m.ki, y.outer});
  EXPECT_EQ(std::get<NoPanels>(panels).what, "'y.i.o' does not run along neighbouring elements");
  EXPECT_THAT(std::get<NoPanels>(panels).why, HasSubstr("2 elements"));
}

TEST(PanelsOf, PanelsOfPanels) {
  const TiledMatmul m(2, 16, 6, 8, 3);
  const SplitResult y = split(m.state, "C", m.yi, 2, samples::at(9));
  const auto accesses = accesses_of(y.state, "C", "B", AccessKind::Reads);
  EXPECT_EQ(dims_of(panels_of(y.state, accesses, {m.yo, y.inner, y.outer})),
            (std::vector<BufferDim>{{1, 8, 0}, {1, 1, 2}, {1, 2, 4}}));
  EXPECT_EQ(dims_of(panels_of(y.state, accesses, {y.inner, m.yo, y.outer})),
            (std::vector<BufferDim>{{1, 1, 2}, {1, 2, 0}}));
}

TEST(PanelsOf, LoopsThatOverlapHaveNone) {
  // D[x] = sum over k of E[x + k]: an element has several pairs of x and k.
  const dsl::Tensor e = dsl::make_placeholder({10}, DType::Float32, "E", samples::at(1));
  const dsl::Axis x = dsl::make_axis("x", dsl::AxisKind::Spatial, 0, 8, samples::at(2));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 3, samples::at(2));
  const dsl::Expr at =
      dsl::make_binary(BinaryOp::Add, samples::value_of(x), samples::value_of(k), samples::at(2));
  const dsl::Expr sum =
      dsl::make_reduce(ReduceOp::Sum, dsl::make_read(e, {at}, samples::at(2)), {k}, samples::at(2));
  const State state =
      make_state({dsl::make_compute({8}, {x}, sum, "D", samples::at(2))}, samples::at(3));
  const std::vector<LoopId> loops = state.stage_loops.at("D");
  const auto panels = panels_of(state, accesses_of(state, "D", "E", AccessKind::Reads), loops);
  ASSERT_TRUE(std::holds_alternative<NoPanels>(panels));
  EXPECT_EQ(std::get<NoPanels>(panels).what, "'x' and 'k' do not divide a dimension in panels");
  EXPECT_THAT(std::get<NoPanels>(panels).why, HasSubstr("'k' covers 3 elements"));
}

TEST(AsksForPanels, WhenLoopsOfOneDimensionStandApart) {
  const std::vector<std::set<LoopId>> loops_of_dim{{1, 2}, {3, 4}};
  EXPECT_TRUE(asks_for_panels(loops_of_dim, {3, 1, 4}));
  EXPECT_FALSE(asks_for_panels(loops_of_dim, {1, 2, 3, 4}));
  EXPECT_FALSE(asks_for_panels(loops_of_dim, {3, 4, 1}));
  EXPECT_FALSE(asks_for_panels(loops_of_dim, {3, 7, 4}));      // 7 runs once
  EXPECT_FALSE(asks_for_panels({{1, 2}, {1, 3}}, {2, 3, 1}));  // 1 runs along both
}

TEST(IndexAlong, IsADigit) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const isl::ctx ctx = m.state.program->ctx();
  const isl::pw_aff place(ctx, "{ [x] -> [x + 3] }");
  const auto is = [&](const BufferDim& dim, const std::string& text) {
    return index_along(dim, place).as_map().is_equal(isl::map(ctx, text));
  };
  EXPECT_TRUE(is({0}, "{ [x] -> [x + 3] }"));
  EXPECT_TRUE(is({0, 4, 0}, "{ [x] -> [floor((x + 3)/4)] }"));
  EXPECT_TRUE(is({0, 4, 2}, "{ [x] -> [floor((x + 3)/4) mod 2] }"));
}

TEST(ExtentAlong, HasRoomForAWholeLastPanel) {
  EXPECT_EQ(extent_along({0}, 10), 10);
  EXPECT_EQ(extent_along({0, 4, 0}, 10), 3);
  EXPECT_EQ(extent_along({0, 1, 4}, 10), 4);
}

TEST(BufferRead, KeepsADimensionInPanels) {
  const TiledMatmul m(2, 10, 6, 4, 3);
  const BufferResult r =
      buffer_read(m.state, request_for("B", {m.yo, m.ko, m.ki, m.yi}, m.lx), samples::at(9));
  EXPECT_EQ(r.state.program->array("BB").shape, (std::vector<std::int64_t>{3, 6, 4}));
  EXPECT_THAT(r.state.program->buffers.at("BB").dim_names, ElementsAre("y.o", "", "y.i"));
  const isl::map relation = r.state.program->statement("C").reads[2].relation;
  const isl::map expected(relation.ctx(),
                          "{ C[x, y, k] -> BB[floor(y/4), k, y mod 4] : 0 <= x < 2 and "
                          "0 <= y < 10 and 0 <= k < 6 }");
  EXPECT_TRUE(relation.is_equal(expected)) << isl_ext::to_string(relation);
}

TEST(BufferRead, APanelByItsLayoutSavesTheLoops) {
  const TiledMatmul m(2, 10, 6, 4, 3);
  BufferRequest request = request_for("B", {}, m.lx);
  request.region.reset();
  request.loop_layout = {m.yo, m.ko, m.ki, m.yi};
  const BufferResult r = buffer_read(m.state, request, samples::at(9));
  EXPECT_EQ(r.state.program->array("BB").shape, (std::vector<std::int64_t>{3, 6, 4}));
  const auto& [name, layout] = r.state.log.back().arguments.back();
  EXPECT_EQ(name, "layout");
  const auto loop = [](LoopId id) { return "{" + std::to_string(id) + "}"; };
  EXPECT_EQ(std::get<StepText>(layout).text,
            "[" + loop(m.yo) + ", " + loop(m.ko) + ", " + loop(m.ki) + ", " + loop(m.yi) + "]");
}

}  // namespace
}  // namespace solway::schedule
