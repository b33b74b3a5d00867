#include "memory_planner/slants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/isl_context.h"

namespace solway::memory_planner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Slant> slants(const std::string& elements) {
  const IslContext isl;
  return slants_of(isl::set(isl.get(), elements));
}

TEST(SlantsOf, ABoxHasNone) {
  EXPECT_THAT(slants("{ C[i, j] : 0 <= i < 8 and 0 <= j < 5 }"), IsEmpty());
  EXPECT_THAT(slants("{ C[i, j] : 0 <= i < 8 and 0 <= j < 5 and i mod 2 = 0 }"), IsEmpty());
  EXPECT_THAT(slants("{ C[i] : 0 <= i < 8 }"), IsEmpty());
  EXPECT_THAT(slants("{ C[i, j] : false }"), IsEmpty());
}

TEST(SlantsOf, CountsCornersThatAreNotThere) {
  EXPECT_THAT(slants("{ C[i, j] : 0 <= j <= i < 8 }"), ElementsAre(Slant{0, 1, 1}));
  EXPECT_THAT(slants("{ C[i, j] : 0 <= i, j < 8 and -2 <= i - j <= 3 }"),
              ElementsAre(Slant{0, 1, 2}));
  EXPECT_THAT(slants("{ C[b, i, j] : 0 <= b < 4 and 0 <= j <= i < 8 }"),
              ElementsAre(Slant{1, 2, 1}));
}

/// C[i, j] of 64 x 64 below the diagonal.
TensorModel triangle() {
  TensorModel out;
  out.name = "C";
  out.direction = AccessDirection::Write;
  out.dims = {{{{0, 1}}, 1, 64}, {{{1, 1}}, 1, 64}};
  out.slants = {{0, 1, 1}};
  return out;
}

TEST(SlantCostOfTiles, TheDiagonalGoesThroughOneTileOfEachRowOfTiles) {
  const SlantCost cost = slant_cost(triangle(), {8, 8});
  EXPECT_DOUBLE_EQ(cost.cut, 1.0 / 8);
  EXPECT_DOUBLE_EQ(cost.rows, 8);
  EXPECT_DOUBLE_EQ(slant_cost(triangle(), {8, 16}).cut, 1.0 / 4);
  EXPECT_DOUBLE_EQ(slant_cost(triangle(), {32, 16}).cut, 1.0 / 2);
}

TEST(SlantCostOfTiles, WholeRowsAreAllCut) {
  EXPECT_DOUBLE_EQ(slant_cost(triangle(), {4, 64}).cut, 1);
  EXPECT_DOUBLE_EQ(slant_cost(triangle(), {4, 64}).rows, 4);
}

TEST(SlantCostOfTiles, OneRowOrColumnIsABox) {
  EXPECT_DOUBLE_EQ(slant_cost(triangle(), {1, 64}).cut, 0);
  EXPECT_DOUBLE_EQ(slant_cost(triangle(), {64, 1}).cut, 0);
}

TEST(SlantCostOfTiles, ABandHasTwoSides) {
  TensorModel band = triangle();
  band.slants[0].sides = 2;
  EXPECT_DOUBLE_EQ(slant_cost(band, {8, 8}).cut, 1.0 / 4);
}

TEST(SlantCostOfTiles, RowsEndBeforeTheInnermostSlantedDimension) {
  TensorModel planes = triangle();
  planes.dims.push_back({{{2, 1}}, 1, 16});  // C[i, j, k], whose rows have all k
  EXPECT_DOUBLE_EQ(slant_cost(planes, {4, 8, 16}).rows, 4);
}

StageModel stage_of(const TensorModel& tensor) {
  StageModel out;
  out.tensors = {tensor};
  return out;
}

TEST(CutShareOfTiles, TheSideCutsTheLastTileOfARow) {
  const StageModel stage = stage_of(triangle());
  EXPECT_DOUBLE_EQ(cut_share(stage, {1, 1}, {64, 64}).cut, 0);
  EXPECT_DOUBLE_EQ(cut_share(stage, {4, 4}, {64, 64}).cut, 0.5 * 4 / 64);
  EXPECT_DOUBLE_EQ(cut_share(stage, {1, 16}, {8, 64}).cut, 0.5 * 16 / 64);
  EXPECT_DOUBLE_EQ(cut_share(stage, {1, 16}, {8, 64}).filled, 1);
  EXPECT_DOUBLE_EQ(cut_share(stage, {4, 1}, {4, 64}).cut, 0.5);
}

TEST(CutShareOfTiles, OfAGridSomeCoreHasTheDiagonal) {
  const CutShare share = cut_share(stage_of(triangle()), {4, 8}, {16, 16});
  EXPECT_DOUBLE_EQ(share.filled, 0.5);
  EXPECT_DOUBLE_EQ(share.cut, 0.5 * 8 / 16);
}

TEST(CutShareOfTiles, HardlyATileOfANarrowBandIsWhole) {
  TensorModel band = triangle();
  band.slants = {{0, 1, 2}};
  EXPECT_DOUBLE_EQ(cut_share(stage_of(band), {4, 4}, {64, 64}).cut, 1);
  EXPECT_DOUBLE_EQ(cut_share(stage_of(band), {1, 1}, {64, 64}).cut, 0);
  band.slants.clear();
  EXPECT_DOUBLE_EQ(cut_share(stage_of(band), {4, 4}, {64, 64}).cut, 0);
}

}  // namespace
}  // namespace solway::memory_planner
