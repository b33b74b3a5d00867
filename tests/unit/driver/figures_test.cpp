#include "driver/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/prefetch.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::driver {
namespace {

using schedule::testing::request_for;
using schedule::testing::TiledMatmul;
using ::testing::ElementsAre;

const StatementFigures& figures_named(const std::vector<StatementFigures>& all,
                                      const std::string& name) {
  for (const StatementFigures& one : all) {
    if (one.name == name) return one;
  }
  throw std::out_of_range(name);
}

TEST(Figures, CountInstancesAndStrides) {
  const TiledMatmul m(2, 16, 12, 4, 3);  // C[2, 16] += A[2, 12] * B[12, 16], y by 4, k by 3
  const auto all = figures_of(m.state);
  EXPECT_EQ(figures_named(all, "C_init").instances.value, 2 * 16);
  const StatementFigures& update = figures_named(all, "C");
  EXPECT_EQ(update.instances.value, 2 * 16 * 12);
  EXPECT_TRUE(update.instances.exact);
  // Loops x, y.o, k.o, y.i, k.i; operands C, A, B, then the write of C.
  ASSERT_EQ(update.accesses.size(), 4U);
  EXPECT_EQ(update.accesses[1].array, "A");
  EXPECT_THAT(update.accesses[1].strides_elems, ElementsAre(12, 0, 3, 0, 1));
  EXPECT_THAT(update.accesses[2].strides_elems, ElementsAre(0, 4, 48, 1, 16));
  EXPECT_TRUE(update.accesses[3].is_write);
}

TEST(Figures, OfATransfer) {
  const TiledMatmul m(2, 16, 12, 4, 3);
  const auto made =
      schedule::buffer_read(m.state, request_for("B", {m.ki, m.yi}, m.ko), samples::at(9));
  const auto all = figures_of(made.state);
  const StatementFigures& issue = figures_named(all, "BB_get_issue");
  EXPECT_EQ(issue.instances.value, 2 * 4 * 4);
  ASSERT_TRUE(issue.transfer);
  EXPECT_EQ(issue.transfer->elements.value, 12);
  EXPECT_TRUE(issue.transfer->elements.exact);
  EXPECT_EQ(issue.transfer->block_bytes, 16);
  EXPECT_EQ(issue.transfer->buffer_bytes, 48);
  EXPECT_EQ(issue.transfer->depth, 1);
  EXPECT_EQ(issue.transfer->distance, 0);
  const StatementFigures& update = figures_named(all, "C");
  EXPECT_TRUE(update.accesses[2].is_near);
  EXPECT_THAT(update.accesses[2].strides_elems, ElementsAre(0, 0, 0, 1, 4));
}

TEST(Figures, SlotsOfATransfer) {
  const TiledMatmul m(2, 16, 12, 4, 3);
  const auto made =
      schedule::buffer_read(m.state, request_for("B", {m.ki, m.yi}, m.ko), samples::at(9));
  const auto all = figures_of(schedule::prefetch(made.state, "BB", 2, samples::at(10)));
  const StatementFigures& issue = figures_named(all, "BB_get_issue");
  ASSERT_TRUE(issue.transfer);
  EXPECT_EQ(issue.transfer->buffer_bytes, 3 * 48);
  EXPECT_EQ(issue.transfer->depth, 3);
  EXPECT_EQ(issue.transfer->distance, 2);
}

TEST(Figures, ATileThatDoesNotDivideMovesAtMostAWholeOne) {
  const TiledMatmul m(1, 10, 6, 4, 3);
  const auto made =
      schedule::buffer_read(m.state, request_for("B", {m.ki, m.yi}, m.ko), samples::at(9));
  const auto all = figures_of(made.state);
  const StatementFigures& issue = figures_named(all, "BB_get_issue");
  ASSERT_TRUE(issue.transfer);
  EXPECT_EQ(issue.transfer->elements.value, 12);
  EXPECT_FALSE(issue.transfer->elements.exact);
}

}  // namespace
}  // namespace solway::driver
