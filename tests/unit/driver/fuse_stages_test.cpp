#include "driver/fuse_stages.h"

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedule/compute_root.h"
#include "schedule/split.h"

#include "tests/unit/driver/product_with_reader.h"
#include "tests/unit/driver/row_samples.h"
#include "tests/unit/driver/two_products.h"
#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::driver {
namespace {

using memory_planner::testing::vector_machine;
using samples::at;
using schedule::State;
using testing::read;
using testing::Rows;
using testing::TwoProducts;

TEST(FuseStages, ARowIsComputedWhereItIsUsed) {
  const Rows rows;
  const FusedStages made = fuse_stages(schedule::make_state({rows.y}, {}), vector_machine(), at(9));
  EXPECT_TRUE(schedule::is_placed(made.state, "M"));
  ASSERT_EQ(made.decisions.size(), 1U);
  EXPECT_EQ(made.decisions[0].first, "M");
  EXPECT_GT(made.decisions[0].second.instead_cycles, 0);
}

TEST(FuseStages, NothingIsComputedTwice) {
  const samples::Pipeline pipeline(10);  // each element of P is read by two iterations
  const FusedStages made =
      fuse_stages(schedule::make_state({pipeline.c}, {}), vector_machine(), at(9));
  EXPECT_TRUE(made.state.log.empty());
}

TEST(FuseStages, AChainIsOneExpression) {
  const Rows rows;
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, at(4));
  const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 32, at(4));
  const dsl::Expr value = read(rows.y, {i, j});
  const dsl::Tensor z =
      dsl::make_compute({8, 32}, {i, j}, dsl::make_unary(UnaryOp::Neg, value, at(4)), "Z", at(4));
  const FusedStages made = fuse_stages(schedule::make_state({z}, {}), vector_machine(), at(9));
  EXPECT_EQ(made.state.log.at(0).primitive, "compute_inline");
  EXPECT_EQ(made.state.log.back().primitive, "compute_at");
}

TEST(FuseStages, WhatTheUserScheduledStays) {
  const Rows rows;
  const State state = schedule::make_state({rows.y}, {});
  const State touched = schedule::split(state, "Y", state.stage_loops.at("Y")[1], 8, at(8)).state;
  EXPECT_TRUE(is_touched(touched, "Y"));
  EXPECT_FALSE(is_touched(touched, "M"));
  EXPECT_EQ(fuse_stages(touched, vector_machine(), at(9)).state.log.size(), 1U);
}

TEST(FuseStages, ChainsOfRowsAreFound) {
  const Rows rows;
  const auto chains = find_row_chains(schedule::make_state({rows.y}, {}), vector_machine(), at(9));
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].host, "Y");
  EXPECT_EQ(chains[0].members, std::vector<std::string>{"M"});
  EXPECT_EQ(chains[0].rows, 1U);
}

TEST(FuseStages, NoChainWhereRowsMeetOrTheUserHasScheduled) {
  const samples::Pipeline pipeline(10);
  const State meet = schedule::make_state({pipeline.c}, {});
  EXPECT_TRUE(find_row_chains(meet, vector_machine(), at(9)).empty());
  const Rows rows;
  const State state = schedule::make_state({rows.y}, {});
  const State touched = schedule::split(state, "Y", state.stage_loops.at("Y")[1], 8, at(8)).state;
  EXPECT_TRUE(find_row_chains(touched, vector_machine(), at(9)).empty());
}

TEST(FuseStages, ReadersAreFound) {
  const Rows rows;
  const State state = schedule::make_state({rows.y}, {});
  EXPECT_EQ(readers_of(state, "M"), std::vector<std::string>{"Y"});
  EXPECT_FALSE(only_read(state, "M"));  // by 32 iterations each
}

TEST(FuseStages, AnElementMayBeNamedMoreThanOnce) {
  const auto square = [](const testing::Element& element) {
    return dsl::make_binary(BinaryOp::Mul, element(), element(), at(5));
  };
  const testing::ProductWithReader twice(8, 16, 4, square);
  const auto read = only_read(twice.state, "C");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->times, 2U);
  EXPECT_FALSE(is_named_once(twice.state, "C"));
  EXPECT_TRUE(is_named_once(testing::ProductWithReader(8, 16, 4).state, "C"));
}

TEST(FuseStages, ReadsOfTwoElementsAreNoOnlyRead) {
  const samples::Matmul product(8, 8, 4);
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, at(5));
  const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 8, at(5));
  const dsl::Expr sum = dsl::make_binary(
      BinaryOp::Add, dsl::make_read(product.c, {samples::value_of(i), samples::value_of(j)}, at(5)),
      dsl::make_read(product.c, {samples::value_of(j), samples::value_of(i)}, at(5)), at(5));
  const dsl::Tensor y = dsl::make_compute({8, 8}, {i, j}, sum, "Y", at(5));
  EXPECT_FALSE(only_read(schedule::make_state({y}, {}), "C"));
}

FusedStages fused(const TwoProducts& products) {
  return fuse_stages(schedule::make_state({products.y}, {}), vector_machine(), at(9));
}

TEST(FuseStages, ProductsLargerThanTheCacheRunSliceBySlice) {
  const FusedStages made = fused(TwoProducts(512, false));  // 4 MB of 1 MB
  EXPECT_TRUE(schedule::is_placed(made.state, "S"));
  EXPECT_EQ(made.hosts.at("S"), "Y");
  ASSERT_EQ(made.state.log.size(), 1U);
  ASSERT_EQ(made.decisions.size(), 1U);
  EXPECT_EQ(made.decisions[0].second.chosen, "slice by slice in loop h of Y");
}

TEST(FuseStages, SlicesLargerThanTheCacheRunInBlocksOfRows) {
  const FusedStages made = fused(TwoProducts(1024, false));  // slices of 4 MB
  EXPECT_EQ(made.hosts.at("S"), "Y");
  ASSERT_EQ(made.state.log.size(), 2U);
  EXPECT_EQ(made.state.log[0].primitive, "split");
  EXPECT_EQ(made.state.log[1].primitive, "compute_at");
  ASSERT_EQ(made.decisions.size(), 1U);
  EXPECT_EQ(made.decisions[0].second.chosen, "block by block in loop i.o of Y");
  const std::vector<schedule::LoopId>& loops = made.state.stage_loops.at("Y");
  EXPECT_EQ(made.state.order.loop(loops.at(1)).extent(), 8);  // 128 rows have 512 KB
}

TEST(FuseStages, StagesThatTheCacheHoldsOnlyOneByOneRunSliceBySlice) {
  // S has 640 KB and so has E; a slice of both 320 KB.
  const FusedStages made = fused(TwoProducts(200, false, TwoProducts::Between::Differences));
  EXPECT_EQ(made.hosts.at("S"), "Y");
  EXPECT_EQ(made.hosts.at("E"), "Y");
  EXPECT_EQ(made.decisions.back().second.chosen, "slice by slice in loop h of Y");
  const FusedStages held = fused(TwoProducts(140, false, TwoProducts::Between::Differences));
  EXPECT_EQ(held.hosts.count("S"), 0U);
}

TEST(FuseStages, ProductsThatTheCacheHoldsStay) {
  EXPECT_TRUE(fused(TwoProducts(128, false)).state.log.empty());
}

TEST(FuseStages, ProductsWhoseSlicesShareAnOperandStay) {
  EXPECT_TRUE(fused(TwoProducts(512, true)).state.log.empty());
}

/// G = X A, U = X B, H[i, j] = G[i, j] * U[i, j], Y = H C.
TEST(FuseStages, ProductsWhoseRowsShareAnOperandKeepTheirTiles) {
  const std::int64_t n = 1024;
  const auto axis = [&](const char* name, dsl::AxisKind kind) {
    return dsl::make_axis(name, kind, 0, n, at(2));
  };
  const auto matrix = [&](const char* name) {
    return dsl::make_placeholder({n, n}, DType::Float32, name, at(1));
  };
  const auto product = [&](const dsl::Tensor& a, const dsl::Tensor& b, const char* name) {
    const auto i = axis("i", dsl::AxisKind::Spatial);
    const auto j = axis("j", dsl::AxisKind::Spatial);
    const auto k = axis("k", dsl::AxisKind::Reduce);
    const auto term = dsl::make_binary(BinaryOp::Mul, read(a, {i, k}), read(b, {k, j}), at(2));
    return dsl::make_compute({n, n}, {i, j}, dsl::make_reduce(ReduceOp::Sum, term, {k}, at(2)),
                             name, at(2));
  };
  const auto both = [&](const dsl::Tensor& a, const dsl::Tensor& b) {
    const auto i = axis("i", dsl::AxisKind::Spatial);
    const auto j = axis("j", dsl::AxisKind::Spatial);
    const auto value = dsl::make_binary(BinaryOp::Mul, read(a, {i, j}), read(b, {i, j}), at(2));
    return dsl::make_compute({n, n}, {i, j}, value, "H", at(2));
  };
  const dsl::Tensor x = matrix("X");
  const dsl::Tensor h = both(product(x, matrix("A"), "G"), product(x, matrix("B"), "U"));
  const dsl::Tensor y = product(h, matrix("C"), "Y");
  const FusedStages made = fuse_stages(schedule::make_state({y}, {}), vector_machine(), at(9));
  EXPECT_EQ(made.hosts.count("H"), 0U);
  EXPECT_TRUE(made.state.log.empty());
}

}  // namespace
}  // namespace solway::driver
