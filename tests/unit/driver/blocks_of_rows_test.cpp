#include "driver/blocks_of_rows.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "schedule/compute_at.h"

#include "tests/unit/driver/two_products.h"
#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::driver {
namespace {

using memory_planner::testing::vector_machine;
using samples::at;
using schedule::State;
using testing::TwoProducts;

State with_differences(std::int64_t rows) {
  const TwoProducts products(rows, false, TwoProducts::Between::Differences);
  return schedule::make_state({products.y}, {});
}

schedule::LoopId rows_of_y(const State& state) { return state.stage_loops.at("Y")[1]; }

TEST(BlocksOfRows, BytesOfAnArray) {
  const State state = schedule::make_state({TwoProducts(64, false).y}, {});
  EXPECT_EQ(bytes_of_array(state, "S"), 4 * 64 * 64 * 4);
}

TEST(BlocksOfRows, AllRowsReadTheSecondOperandsOfBothProducts) {
  const std::int64_t of_one_head = 64 * TwoProducts::kWidth * 4;
  const State apart = schedule::make_state({TwoProducts(64, false).y}, {});
  EXPECT_EQ(shared_bytes(apart, "Y", rows_of_y(apart), {"S"}), 2 * of_one_head);  // B and V
  const State same = schedule::make_state({TwoProducts(64, true).y}, {});
  EXPECT_EQ(shared_bytes(same, "Y", rows_of_y(same), {"S"}), 2 * of_one_head);
  EXPECT_EQ(shared_bytes(apart, "Y", rows_of_y(apart), {}), of_one_head);  // V
}

TEST(BlocksOfRows, WhatRowsShareThroughStagesThatRunInOthers) {
  const std::int64_t of_both = 2 * 64 * TwoProducts::kWidth * 4;
  const State apart = with_differences(64);
  EXPECT_EQ(shared_bytes(apart, "Y", rows_of_y(apart), {"S", "M", "E"}), of_both);
  const State placed = schedule::compute_at(apart, "M", "E", apart.stage_loops.at("E")[1], at(5));
  EXPECT_EQ(shared_bytes(placed, "Y", rows_of_y(placed), {"S", "E"}), of_both);
}

TEST(BlocksOfRows, WhatTheCacheHoldsNeedsNoBlocks) {
  const State state = with_differences(256);  // 256 KB of S and of E
  EXPECT_EQ(rows_of_block(state, "Y", rows_of_y(state), {"S", "E"}, vector_machine()), 0);
}

TEST(BlocksOfRows, HalfOfTheCacheForOneStageBesideWhatAllBlocksRead) {
  const State state = with_differences(1024);  // 4 KB of each a row; B and V have 64 KB
  EXPECT_EQ(rows_of_block(state, "Y", rows_of_y(state), {"S", "E"}, vector_machine()), 128);
  const State odd = with_differences(1021);  // eight blocks
  EXPECT_EQ(rows_of_block(odd, "Y", rows_of_y(odd), {"S", "E"}, vector_machine()), 114);
}

TEST(BlocksOfRows, SmallBlocksWhereTheCacheDoesNotHoldWhatTheyShare) {
  const State state = with_differences(4096);  // 16 KB of each a row: 32 rows
  EXPECT_EQ(rows_of_block(state, "Y", rows_of_y(state), {"S", "E"}, vector_machine()), 32);
}

TEST(BlocksOfRows, RowsOfWhichTheCacheHoldsFewAreNoBlocks) {
  const State state = with_differences(16384);  // 64 KB of each a row: 8 rows
  EXPECT_EQ(rows_of_block(state, "Y", rows_of_y(state), {"S", "E"}, vector_machine()), 0);
}

}  // namespace
}  // namespace solway::driver
