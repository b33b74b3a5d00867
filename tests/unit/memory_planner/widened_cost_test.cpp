#include "memory_planner/widened_cost.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

/// B[x, y] = A[x, y], elements of so many bytes.
StageModel rows_of(std::int64_t rows, std::int64_t columns, std::int64_t element_bytes) {
  StageModel out{"B", {testing::spatial("x", rows), testing::spatial("y", columns)}, {}};
  const auto d = [&](int loop) { return testing::dim(out.loops, {{loop, 1}}); };
  out.tensors.push_back({"A", element_bytes, AccessDirection::Read, {d(0), d(1)}});
  out.tensors[0].shape = {rows, columns};
  return out;
}

NestPlan tiles_of_rows(const StageModel& stage, std::int64_t rows, std::int64_t columns,
                       std::int64_t unit) {
  NestPlan out;
  out.cuts = {{stage.loops[0].extent, rows, 1}, {stage.loops[1].extent, columns, 1}};
  out.depths = {1};
  out.units = {unit};
  return out;
}

TransferEngine engine_of(std::int64_t align_bytes, int ranks = 2) {
  TransferEngine out = *load_target("sw26010", {}).engine_or_null("ldm");
  out.alignment_bytes = align_bytes;
  out.min_size_bytes = align_bytes;
  out.ranks = ranks;
  return out;
}

TEST(UnitElems, AreWholeElementsOfTheEnginesUnits) {
  const StageModel bytes = rows_of(64, 67, 1);
  EXPECT_EQ(unit_elems(bytes.tensors[0], engine_of(4)), 4);
  EXPECT_EQ(unit_elems(rows_of(64, 67, 4).tensors[0], engine_of(128)), 32);
  EXPECT_EQ(unit_elems(rows_of(64, 67, 4).tensors[0], engine_of(4)), 0);  // an element is one
  TransferEngine more = engine_of(16);
  more.min_size_bytes = 24;
  EXPECT_EQ(unit_elems(bytes.tensors[0], more), 32);
}

TEST(UnitElems, AreOfWhatIsReadAsItLies) {
  StageModel stage = rows_of(64, 67, 1);
  stage.tensors[0].direction = AccessDirection::Write;
  EXPECT_EQ(unit_elems(stage.tensors[0], engine_of(4)), 0);
  stage = rows_of(64, 67, 1);
  stage.tensors[0].border = {0, 2};
  EXPECT_EQ(unit_elems(stage.tensors[0], engine_of(4)), 0);
}

TEST(WidenedElems, HaveRoomForWholeUnits) {
  const StageModel stage = rows_of(64, 67, 1);
  EXPECT_EQ(widened_elems(stage, tiles_of_rows(stage, 8, 67, 4), 0), 8 * 71);
  EXPECT_EQ(buffer_bytes(stage, tiles_of_rows(stage, 8, 67, 4), 0, 2, 32), 1152);
}

TEST(HasOneLead, WhereTilesAreWholeUnitsApart) {
  const StageModel stage = rows_of(64, 256, 4);
  EXPECT_TRUE(has_one_lead(stage, tiles_of_rows(stage, 8, 32, 32), 0));
  EXPECT_FALSE(has_one_lead(stage, tiles_of_rows(stage, 8, 8, 32), 0));
}

TEST(WidenedShape, MovesEachRowWhereTheyBeginAnywhere) {
  const StageModel stage = rows_of(64, 67, 1);
  const auto shape = widened_shape(stage, tiles_of_rows(stage, 8, 67, 4), 0, engine_of(4));
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->blocks, 8);
  EXPECT_EQ(shape->requests, 8);
  EXPECT_EQ(shape->block_bytes, 70);  // 68, 72, 72 and 68, 67 bytes from 0, 3, 2 and 1 on
  EXPECT_EQ(shape->step_bytes, 4);
  EXPECT_TRUE(is_moved_by(engine_of(4), *shape, 1));
}

TEST(WidenedShape, MovesAllRowsTogetherWhereTheyBeginAtOnePlaceOfAUnit) {
  const StageModel stage = rows_of(64, 256, 4);
  const NestPlan plan = tiles_of_rows(stage, 8, 8, 32);
  const auto shape = widened_shape(stage, plan, 0, engine_of(128));
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->blocks, 8);
  EXPECT_EQ(shape->requests, 1);
  EXPECT_EQ(shape->block_bytes, 128);
  EXPECT_EQ(widened_shape(stage, plan, 0, engine_of(128, 1))->requests, 8);
}

}  // namespace
}  // namespace solway::memory_planner
