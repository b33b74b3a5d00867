#include "memory_planner/shared_read_cost.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

using schedule::SharedBy;

/// 512 x 512 x 512 on the mesh, tiles of 64 x 64 x 32.
class SharedReadCost : public ::testing::Test {
 protected:
  SharedReadCost() {
    plan.cuts = {{64, 64, 1}, {64, 64, 1}, {512, 32, 1}};
    plan.parallel = {0, 1};
    plan.grid = {8, 8};
    plan.outer = {2};
    plan.depths = {1, 1, 1};
    plan.shared.assign(3, SharedBy::Core);
  }
  SharedBy by(int tensor) const { return sharing_of(stage, plan, tensor, target); }

  StageModel stage = testing::matmul(512, 512, 512);
  Target target = load_target("sw26010", {});
  NestPlan plan;
};

TEST_F(SharedReadCost, RowsShareWhatDependsOnNoColumn) {
  EXPECT_EQ(by(0), SharedBy::Row);
  EXPECT_EQ(by(1), SharedBy::Column);
  EXPECT_EQ(by(2), SharedBy::Core);  // what is written
}

TEST_F(SharedReadCost, RowsOfOnePartReadTogetherButColumnsDoNot) {
  stage = testing::matmul(13, 512, 512);
  plan.cuts = {{7, 7, 1}, {16, 16, 1}, {512, 32, 1}};
  plan.grid = {2, 32};
  plan.rows_of_part = 4;
  EXPECT_EQ(by(0), SharedBy::Row);
  EXPECT_EQ(by(1), SharedBy::Core);  // the cores of a column have other columns of B
  plan.shared[0] = SharedBy::Row;
  const SharedRead read = shared_read(stage, plan, 0, target);
  EXPECT_EQ(read.lines, 8);
  EXPECT_EQ(read.cores, 64);
}

TEST_F(SharedReadCost, CoresOfOtherMeshesReadAlone) {
  target.cores.count = 16;
  target.cores.mesh_rows = target.cores.mesh_columns = 4;
  plan.grid = {4, 4};
  EXPECT_EQ(by(0), SharedBy::Core);
  EXPECT_EQ(by(1), SharedBy::Core);
}

TEST_F(SharedReadCost, AllShareWhatDependsOnNoParallelLoop) {
  plan.cuts = {{512, 64, 1}, {8, 8, 1}, {512, 32, 1}};
  plan.parallel = {1};
  plan.grid = {64, 0};
  EXPECT_EQ(by(0), SharedBy::All);
  EXPECT_EQ(by(1), SharedBy::Core);
  plan.grid = {32, 0};  // some cores run nothing
  plan.cuts[1] = {16, 16, 1};
  EXPECT_EQ(by(0), SharedBy::Core);
}

TEST_F(SharedReadCost, TheLastPartMayBeSmallerWithAsManyTiles) {
  stage = testing::matmul(512, 500, 512);
  plan.cuts[1] = {63, 63, 1};
  EXPECT_EQ(by(0), SharedBy::Row);
  plan.cuts[1] = {63, 32, 1};  // tiles of 32 and 31, of the last part 32 and 27
  plan.outer = {1, 2};
  EXPECT_EQ(by(0), SharedBy::Row);
}

TEST_F(SharedReadCost, FewerTilesInTheLastPartAreFewerTransfers) {
  stage = testing::matmul(512, 500, 512);
  plan.cuts[1] = {63, 9, 1};  // 7 tiles, in the last part of 59 as well
  plan.outer = {1, 2};
  EXPECT_EQ(by(0), SharedBy::Row);
  plan.cuts[1] = {63, 3, 1};  // 21 and 20
  EXPECT_EQ(by(0), SharedBy::Core);
  plan.outer = {2, 1};  // A is transferred around the tiles of the columns
  EXPECT_EQ(by(0), SharedBy::Row);
}

TEST_F(SharedReadCost, NeitherAreHalfMessages) {
  plan.cuts[0].tile = 1;
  plan.cuts[2].tile = 4;  // 16 bytes of A
  EXPECT_EQ(by(0), SharedBy::Core);
}

TEST_F(SharedReadCost, NorDoCoresWithoutAWayToEachOther) {
  target.timing->messages.reset();
  EXPECT_EQ(by(0), SharedBy::Core);
  target.timing->remote_copies.emplace();
  EXPECT_EQ(by(0), SharedBy::Row);
}

TEST_F(SharedReadCost, NorWhereBuffersBeginWithinAMessage) {
  for (Memory& memory : target.memories) memory.alignment_bytes = 16;
  EXPECT_EQ(by(0), SharedBy::Core);
}

TEST_F(SharedReadCost, EachCoreReadsAnEighth) {
  plan.shared[0] = SharedBy::Row;
  const SharedRead read = shared_read(stage, plan, 0, target);
  EXPECT_EQ(read.lines, 8);
  EXPECT_EQ(read.readers, 8);
  EXPECT_EQ(read.columns, 8);
  EXPECT_EQ(read.cores, 64);
  EXPECT_EQ(footprint_elems(read.part.dims[0], tiles_of(plan)), 8);
  EXPECT_EQ(footprint_elems(read.part.dims[1], tiles_of(plan)), 32);
}

TEST_F(SharedReadCost, AFewCoresReadASmallTile) {
  plan.shared[0] = SharedBy::Row;
  plan.cuts[0].tile = 4;
  plan.cuts[2].tile = 8;  // four rows of one message
  const SharedRead read = shared_read(stage, plan, 0, target);
  EXPECT_EQ(read.readers, 4);
  EXPECT_EQ(read.columns, 4);
}

TEST_F(SharedReadCost, FewRowsAreDividedThemselves) {
  plan.shared[0] = SharedBy::Row;
  plan.cuts[0].tile = 4;
  plan.cuts[2].tile = 16;  // four rows of two messages
  const SharedRead read = shared_read(stage, plan, 0, target);
  EXPECT_EQ(read.readers, 8);
  EXPECT_EQ(footprint_elems(read.part.dims[0], tiles_of(plan)), 1);
  EXPECT_EQ(footprint_elems(read.part.dims[1], tiles_of(plan)), 8);
}

TEST_F(SharedReadCost, PartsNeedNotBeWholeMessages) {
  stage = testing::matmul(512, 512, 9);
  plan.shared[0] = SharedBy::Row;
  plan.cuts = {{64, 8, 1}, {64, 64, 1}, {9, 9, 1}};
  plan.outer = {0};
  EXPECT_EQ(by(0), SharedBy::Row);
  const SharedRead read = shared_read(stage, plan, 0, target);
  EXPECT_EQ(read.readers, 8);  // of 36 bytes: two messages
  stage = testing::matmul(512, 512, 16);
  plan.cuts[2] = {16, 16, 1};
  EXPECT_DOUBLE_EQ(read.exchange_cycles, shared_read(stage, plan, 0, target).exchange_cycles);
}

TEST_F(SharedReadCost, NothingIsNotShared) {
  stage.tensors[0].element_bytes = 2;
  stage.tensors[0].dims[0].extent = 0;
  EXPECT_EQ(by(0), SharedBy::Core);
}

TEST_F(SharedReadCost, ThoseOfShorterElementsAre) {
  stage.tensors[0].element_bytes = 2;
  plan.shared[0] = SharedBy::Row;
  plan.cuts[0].tile = 16;
  plan.cuts[2].tile = 36;
  EXPECT_EQ(by(0), SharedBy::Row);
  EXPECT_EQ(shared_read(stage, plan, 0, target).readers, 4);  // four rows of 72 bytes each
  plan.cuts[0].tile = 4;
  EXPECT_EQ(by(0), SharedBy::Row);
  EXPECT_EQ(shared_read(stage, plan, 0, target).readers, 1);
  plan.cuts[2].tile = 9;
  EXPECT_EQ(by(0), SharedBy::Core);
}

// By the emulator's clock an exchange of 8 KB takes 1,175 cycles.
TEST_F(SharedReadCost, MessagesFollowEachOther) {
  plan.shared[0] = SharedBy::Row;
  EXPECT_NEAR(shared_read(stage, plan, 0, target).exchange_cycles, 1175, 100);
}

TEST_F(SharedReadCost, OfFewerCoresAllTakeTheMessages) {
  plan.shared[0] = SharedBy::Row;
  const double whole = shared_read(stage, plan, 0, target).exchange_cycles;
  stage = testing::matmul(512, 448, 512);
  plan.grid = {8, 7};
  const SharedRead read = shared_read(stage, plan, 0, target);
  EXPECT_EQ(read.readers, 7);
  EXPECT_NEAR(read.exchange_cycles, whole, 0.05 * whole);
}

/// By the emulator's clock, of a product whose cores read A together along rows and B along
/// columns: 354 cycles for 4 KB, 489 for 8 KB, 291 for 2 KB, the barrier included.
TEST_F(SharedReadCost, CopiesBetweenLocalMemories) {
  target = load_target("sw26010pro", {});
  plan.cuts = {{32, 32, 1}, {32, 32, 1}, {512, 32, 1}};
  stage = testing::matmul(256, 256, 512);
  plan.shared = {SharedBy::Row, SharedBy::Column, SharedBy::Core};
  EXPECT_EQ(by(0), SharedBy::Row);
  EXPECT_NEAR(shared_read(stage, plan, 0, target).exchange_cycles, 354, 35);
  plan.cuts[2].tile = 64;
  EXPECT_NEAR(shared_read(stage, plan, 0, target).exchange_cycles, 489, 49);
  EXPECT_NEAR(shared_read(stage, plan, 1, target).exchange_cycles, 489, 49);
}

}  // namespace
}  // namespace solway::memory_planner
