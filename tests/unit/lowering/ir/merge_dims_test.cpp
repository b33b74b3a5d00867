#include "lowering/ir/merge_dims.h"

#include <gtest/gtest.h>

#include "lowering/ir/printer.h"

namespace solway::ir {
namespace {

std::string dims_text(const std::vector<TransferDim>& dims) {
  std::string out;
  for (const TransferDim& dim : dims) {
    out += (out.empty() ? "(" : " (") + to_string(dim.count) + ", " +
           to_string(dim.main_stride_elems) + ", " + std::to_string(dim.near_stride_elems) + ")";
  }
  return out;
}

Expr n() { return Var::make("n"); }
Expr literal(std::int64_t value) { return IntImm::make(value); }

TEST(MergeDims, LeavesOutSingleElements) {
  EXPECT_EQ(dims_text(merge_dims({{literal(4), literal(1024), 64},
                                  {literal(1), literal(64), 64},
                                  {literal(64), literal(1), 1}})),
            "(4, 1024, 64) (64, 1, 1)");
}

TEST(MergeDims, JoinsFullRows) {
  EXPECT_EQ(dims_text(merge_dims({{n(), literal(64), 64}, {literal(64), literal(1), 1}})),
            "((n * 64), 1, 1)");
  EXPECT_EQ(dims_text(merge_dims({{literal(2), literal(32), 32},
                                  {literal(4), literal(8), 8},
                                  {literal(8), literal(1), 1}})),
            "(64, 1, 1)");
}

TEST(MergeDims, KeepsRowsWithGapsAndRowsOfUnknownLength) {
  EXPECT_EQ(dims_text(merge_dims({{literal(4), literal(1024), 64}, {literal(64), literal(1), 1}})),
            "(4, 1024, 64) (64, 1, 1)");
  EXPECT_EQ(dims_text(merge_dims({{literal(4), literal(64), 64}, {n(), literal(1), 1}})),
            "(4, 64, 64) (n, 1, 1)");
}

TEST(MergeDims, KeepsRowsThatAreAsLongAsASizeSays) {
  EXPECT_EQ(dims_text(merge_dims({{literal(4), n(), 64}, {literal(64), literal(1), 1}})),
            "(4, n, 64) (64, 1, 1)");
}

}  // namespace
}  // namespace solway::ir
