#include "memory_planner/transfer_cost.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

Target sunway() { return load_target("sw26010", {}); }

const std::vector<bool> kEven(3, false);

TEST(TransferCost, ATileOfAMatrixIsARequestOfBlocks) {
  const StageModel stage = testing::matmul(512, 512, 512);
  const TransferShape shape = transfer_shape(stage.tensors[0], {512, 512}, {32, 64, 16}, kEven, 2);
  EXPECT_EQ(shape.requests, 1);
  EXPECT_EQ(shape.blocks, 32);
  EXPECT_EQ(shape.block_bytes, 16 * 4);
  EXPECT_EQ(shape.step_bytes, 64);
}

TEST(TransferCost, WholeRowsAreOneBlock) {
  const StageModel stage = testing::matmul(512, 512, 512);
  const TransferShape shape = transfer_shape(stage.tensors[0], {512, 512}, {32, 64, 512}, kEven, 2);
  EXPECT_EQ(shape.blocks, 1);
  EXPECT_EQ(shape.block_bytes, 32 * 512 * 4);
}

TEST(TransferCost, DimensionsBeyondTheRanksAreRequests) {
  const StageModel stage = testing::convolution();
  const std::vector<bool> even(6, false);
  // 8 filters of 2 channels of 5 x 11 of 11 x 11.
  const TransferShape shape =
      transfer_shape(stage.tensors[1], {64, 3, 11, 11}, {8, 1, 1, 2, 5, 11}, even, 2);
  EXPECT_EQ(shape.block_bytes, 5 * 11 * 4);
  EXPECT_EQ(shape.blocks, 16);
  EXPECT_EQ(shape.requests, 8);
}

TEST(TransferCost, DimensionsThatContinueEachOtherAreOne) {
  const StageModel stage = testing::window_with_filters_last(32, 32, 64);
  const std::vector<bool> even(6, false);
  // 4 channels of 3 x 3 of 16 filters of 64: 36 pieces, each 64 filters behind the one before.
  const TransferShape all =
      transfer_shape(stage.tensors[1], {64, 3, 3, 64}, {16, 8, 8, 4, 3, 3}, even, 2);
  EXPECT_EQ(all.block_bytes, 16 * 4);
  EXPECT_EQ(all.blocks, 36);
  EXPECT_EQ(all.requests, 1);
  // Of 2 columns of 3 the lines do not go on.
  const TransferShape part =
      transfer_shape(stage.tensors[1], {64, 3, 3, 64}, {16, 8, 8, 4, 3, 2}, even, 2);
  EXPECT_EQ(part.blocks, 24);
  EXPECT_EQ(part.requests, 12);
}

TEST(TransferCost, RowsOfATileThatMayBeSmallerAreRequests) {
  const StageModel stage = testing::matmul(512, 1000, 512);
  const std::vector<bool> ragged = {false, true, false};
  const TransferShape shape =
      transfer_shape(stage.tensors[1], {512, 1000}, {32, 128, 16}, ragged, 2);
  EXPECT_EQ(shape.blocks, 16);
  EXPECT_EQ(shape.requests, 16);
}

TEST(TransferCost, AlignedBlocksTakeWhatIsPublished) {
  const Target target = sunway();
  const TransferEngine& engine = *target.engine_or_null("ldm");
  // 512 bytes at 27.42 GB/s, 1450 MHz.
  const TransferShape shape{1, 10, 512, 512};
  EXPECT_NEAR(engine_cycles(shape, true, target, engine), 10 * 512 / 27.42 * 1.45, 1e-6);
  EXPECT_NEAR(engine_cycles(shape, false, target, engine), 10 * 512 / 30.34 * 1.45, 1e-6);
}

TEST(TransferCost, BlocksWithinTransactionsAreSlower) {
  const Target target = sunway();
  const TransferEngine& engine = *target.engine_or_null("ldm");
  const double even = engine_cycles({1, 1, 512, 512}, true, target, engine);
  const double odd = engine_cycles({1, 1, 512, 32}, true, target, engine);
  // Of four places to begin at, three touch five transactions, at 25.4 GB/s.
  EXPECT_NEAR(odd, (even + 3 * 640 / 25.4 * 1.45) / 4, 1e-6);
  const double put = engine_cycles({1, 1, 512, 32}, false, target, engine);
  EXPECT_GT(put, odd);  // transactions that it writes in part are read first
}

TEST(TransferCost, LongerBlocksNeverTakeLongerPerByte) {
  const Target target = sunway();
  const TransferEngine& engine = *target.engine_or_null("ldm");
  double before = 1e30;
  for (const std::int64_t bytes : {32, 64, 128, 256, 512, 1024, 4096, 16384}) {
    const double now =
        engine_cycles({1, 1, bytes, 0}, true, target, engine) / static_cast<double>(bytes);
    EXPECT_LE(now, before * 1.0001) << bytes;
    before = now;
  }
}

/// Rows of bytes: B[x, y] of A[x, y].
StageModel rows_of_bytes(std::int64_t rows, std::int64_t columns) {
  StageModel out{"B", {testing::spatial("x", rows), testing::spatial("y", columns)}, {}};
  const auto d = [&](int loop) { return testing::dim(out.loops, {{loop, 1}}); };
  out.tensors.push_back({"A", 1, AccessDirection::Read, {d(0), d(1)}});
  out.tensors[0].shape = {rows, columns};
  return out;
}

TEST(IsMovedBy, AsksForWholeUnitsOfTheEngine) {
  const TransferEngine& engine = *sunway().engine_or_null("ldm");
  const auto is_moved = [&](std::int64_t columns, const Tiles& tiles) {
    const StageModel stage = rows_of_bytes(64, columns);
    const std::vector<bool> ragged = {64 % tiles[0] != 0, columns % tiles[1] != 0};
    const std::vector<TileEnds> ends = {{0, 64 % tiles[0]}, {0, columns % tiles[1]}};
    return is_moved_by(engine,
                       transfer_shape(stage.tensors[0], {64, columns}, tiles, ragged, 2, ends), 1);
  };
  EXPECT_TRUE(is_moved(68, {1, 68}));
  EXPECT_FALSE(is_moved(67, {1, 67}));
  EXPECT_FALSE(is_moved(67, {2, 67}));
  EXPECT_TRUE(is_moved(67, {4, 67}));   // 268 bytes from 268 bytes on
  EXPECT_FALSE(is_moved(67, {4, 64}));  // rows begin anywhere
  EXPECT_TRUE(is_moved(68, {1, 16}));   // the last tile has 4
  EXPECT_FALSE(is_moved(70, {1, 16}));  // 6
}

TEST(IsMovedBy, AsksWhereTheFirstPieceBegins) {
  const TransferEngine& engine = *sunway().engine_or_null("ldm");
  StageModel stage = rows_of_bytes(64, 68);
  stage.tensors[0].dims[1].begin = 2;
  stage.tensors[0].dims[1].extent = 64;
  const TransferShape shape =
      transfer_shape(stage.tensors[0], {64, 68}, {1, 64}, {false, false}, 2);
  EXPECT_EQ(shape.first_bytes, 2);
  EXPECT_FALSE(is_moved_by(engine, shape, 1));
  EXPECT_TRUE(is_moved_by(engine, shape, 4));  // elements of whole units
}

TEST(IsMovedBy, AsksForTheLeastThatTheEngineMoves) {
  TransferEngine engine = *sunway().engine_or_null("ldm");
  engine.min_size_bytes = 64;
  const StageModel stage = rows_of_bytes(64, 128);
  const auto shape = [&](const Tiles& tiles) {
    return transfer_shape(stage.tensors[0], {64, 128}, tiles, {false, false}, 2);
  };
  EXPECT_FALSE(is_moved_by(engine, shape({1, 32}), 1));
  EXPECT_TRUE(is_moved_by(engine, shape({2, 32}), 1));  // a request of two blocks
  EXPECT_TRUE(is_moved_by(engine, shape({1, 64}), 1));
}

}  // namespace
}  // namespace solway::memory_planner
