#include "memory_planner/cut_rows.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

/// A product with so many columns in vectors, in tiles of 32 on `cores` cores.
struct Columns {
  StageModel stage;
  NestPlan plan;

  Columns(std::int64_t columns, std::int64_t cores) : stage(testing::matmul(32, columns, 64)) {
    plan.cuts = {{32, 32, 1}, {cores > 1 ? 32 : columns, 32, 32}, {64, 64, 1}};
    plan.depths = {1, 1, 1};
    plan.vector = 1;
    if (cores > 1) {
      plan.parallel = {1};
      plan.grid = {cores};
    }
  }

  /// Vectors of 4 that take one cycle, numbers that take `number`.
  double share(double number) const {
    return share_of_cut_rows(stage, plan, [&](std::int64_t count) {
      return static_cast<double>(count / 4) + number * static_cast<double>(count % 4);
    });
  }
};

TEST(CutRows, NothingIsCutWhereTilesDivide) { EXPECT_EQ(Columns(128, 1).share(100), 1); }

TEST(CutRows, OneCoreHasWholeRowsAndTheCutOne) {
  // 4 rows of 8 cycles, of which the last takes 7 and 3 numbers of 5
  EXPECT_DOUBLE_EQ(Columns(127, 1).share(5), (3 * 8 + 7 + 15) / 32.0);
  EXPECT_DOUBLE_EQ(Columns(120, 1).share(5), (3 * 8 + 6) / 32.0);
}

TEST(CutRows, OfManyCoresTheOneCountsThatTakesLongest) {
  EXPECT_DOUBLE_EQ(Columns(127, 4).share(5), (7 + 15) / 8.0);
  EXPECT_DOUBLE_EQ(Columns(120, 4).share(5), 1);
}

}  // namespace
}  // namespace solway::memory_planner
