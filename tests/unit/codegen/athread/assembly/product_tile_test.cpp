#include "codegen/athread/assembly/product_tile.h"

#include <gtest/gtest.h>

namespace solway::codegen::assembly {
namespace {

TEST(ProductTile, OneStepMultipliesEachNumberWithEachVector) {
  const Product product{Element::Double, 8, 16, 10, 1, 16, 20};
  const Tile tile = product_tile(product, 2, 1, {17, 18, 16});
  std::string text;
  for (const auto* part : {&tile.loads, &tile.body, &tile.stores}) {
    for (const Instruction& one : *part) text += to_string(one) + "\n";
  }
  EXPECT_EQ(text,
            "vldd $32,0($16)\nvldd $33,160($16)\n"
            "vldd $36,0($18)\nldde $34,0($17)\nldde $35,80($17)\n"
            "vmad $36,$34,$32,$32\nvmad $36,$35,$33,$33\n"
            "ldi $17,8($17)\nldi $18,128($18)\n"
            "vstd $32,0($16)\nvstd $33,160($16)\n");
}

TEST(ProductTile, FloatsHaveHalfTheBytes) {
  const Product product{Element::Float, 8, 16, 10, 1, 16, 20};
  const Tile tile = product_tile(product, 1, 2, {17, 18, 16});
  EXPECT_EQ(to_string(tile.loads[1]), "vlds $33,16($16)");
  EXPECT_EQ(to_string(tile.body[1]), "ldse $34,0($17)");
  EXPECT_EQ(to_string(tile.body.back()), "ldi $18,64($18)");
}

TEST(ProductTile, NarrowTilesHaveMoreRows) {
  EXPECT_EQ(most_rows({Element::Float, 28, 8, 90, 1, 8, 8}), 7);
  EXPECT_EQ(most_rows({Element::Float, 28, 12, 90, 1, 12, 12}), 4);
  EXPECT_EQ(most_rows({Element::Float, 28, 8, 1200, 1, 8, 8}), 4);  // 7 are 33600 bytes
  const std::vector<TileRun> runs = tile_runs(13, 7);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].size, 7);
  EXPECT_EQ(runs[1].size, 6);
}

TEST(ProductTile, RunsCoverEveryExtentWithoutSmallTiles) {
  for (std::int64_t extent = 1; extent <= 200; ++extent) {
    std::int64_t sum = 0;
    for (const TileRun& run : tile_runs(extent)) {
      EXPECT_GT(run.count, 0) << extent;
      EXPECT_LE(run.size, 4) << extent;
      if (extent > 5) {
        EXPECT_GE(run.size, 3) << extent;
      }
      sum += run.size * run.count;
    }
    EXPECT_EQ(sum, extent);
  }
}

}  // namespace
}  // namespace solway::codegen::assembly
