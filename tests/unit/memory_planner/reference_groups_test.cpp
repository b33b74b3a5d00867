#include "memory_planner/reference_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/split.h"

#include "tests/support/far_references.h"

namespace solway::memory_planner {
namespace {

using ::testing::ElementsAre;
using Group = std::vector<int>;

std::vector<Group> groups_of_points(const std::vector<std::int64_t>& distances,
                                    std::int64_t n = 256) {
  const schedule::State state = schedule::make_state({samples::sum_of_points(n, distances)}, {});
  return reference_groups(state, "Y", "X");
}

TEST(ReferenceGroups, AWindowIsOne) {
  EXPECT_THAT(groups_of_points({0, 1, 2}), ElementsAre(Group{0, 1, 2}));
  EXPECT_THAT(groups_of_points({0, 3, 6}), ElementsAre(Group{0, 1, 2}));
  EXPECT_THAT(groups_of_points({0}), ElementsAre(Group{0}));
}

TEST(ReferenceGroups, WhatIsFarIsApart) {
  EXPECT_THAT(groups_of_points({0, 1024}), ElementsAre(Group{0}, Group{1}));
  EXPECT_THAT(groups_of_points({0, 8, 16}), ElementsAre(Group{0}, Group{1}, Group{2}));
  EXPECT_THAT(groups_of_points({0, 4}), ElementsAre(Group{0}, Group{1}));
}

TEST(ReferenceGroups, AreCutWhereDistancesGrowTheMost) {
  // 4 from each other, and nearly 1000 from the others.
  EXPECT_THAT(groups_of_points({0, 1000, 4, 1004}), ElementsAre(Group{0, 2}, Group{1, 3}));
  EXPECT_THAT(groups_of_points({0, 1, 100, 101, 1000}),
              ElementsAre(Group{0, 1}, Group{2, 3}, Group{4}));
}

TEST(ReferenceGroups, ManyAreLeftTogether) {
  std::vector<std::int64_t> distances;
  for (int k = 0; k <= kMostGroups; ++k) distances.push_back(100 * k);
  EXPECT_EQ(groups_of_points(distances).size(), 1U);
  distances.pop_back();
  EXPECT_EQ(groups_of_points(distances).size(), static_cast<std::size_t>(kMostGroups));
}

TEST(ReferenceGroups, OtherDirectionsAreApart) {
  const schedule::State state = schedule::make_state({samples::with_its_mirror_image(64)}, {});
  EXPECT_THAT(reference_groups(state, "Y", "X"), ElementsAre(Group{0}, Group{1}));
  // However the loops are cut.
  const schedule::State cut =
      schedule::split(state, "Y", state.stage_loops.at("Y")[0], 16, samples::at(3)).state;
  EXPECT_THAT(reference_groups(cut, "Y", "X"), ElementsAre(Group{0}, Group{1}));
}

TEST(ReferenceGroups, WhatOneReductionReadsAndWhatStandsBesideIt) {
  const samples::NestedMatmul nested(4, 8, 16);  // A[x, k] under k, A[x, 0] beside it
  const schedule::State state = schedule::make_state({nested.d}, {});
  EXPECT_THAT(reference_groups(state, "D", "A"), ElementsAre(Group{0}, Group{1}));
}

TEST(ReferenceGroups, OfWhatDependsOnDataThereIsOne) {
  const dsl::Tensor x = dsl::make_placeholder({64}, DType::Float32, "X", samples::at(1));
  const dsl::Tensor p = dsl::make_placeholder({8}, DType::Int64, "P", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, samples::at(2));
  const dsl::Expr place = dsl::make_bounded(
      dsl::make_read(p, {samples::value_of(i)}, samples::at(2)), 0, 64, samples::at(2));
  const dsl::Expr sum =
      dsl::make_binary(BinaryOp::Add, dsl::make_read(x, {place}, samples::at(2)),
                       dsl::make_read(x, {samples::value_of(i)}, samples::at(2)), samples::at(2));
  const schedule::State state =
      schedule::make_state({dsl::make_compute({8}, {i}, sum, "Y", samples::at(2))}, {});
  EXPECT_EQ(reference_groups(state, "Y", "X").size(), 1U);
}

}  // namespace
}  // namespace solway::memory_planner
