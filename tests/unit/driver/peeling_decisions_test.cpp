#include "driver/peeling_decisions.h"

#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/double_buffer.h"

#include "tests/unit/memory_planner/buffered_matmul.h"

namespace solway::driver {
namespace {

using memory_planner::testing::buffered_matmul;
using ::testing::IsEmpty;

schedule::State pipelined(std::int64_t y_tile, std::int64_t k_tile) {
  return schedule::double_buffer(buffered_matmul(y_tile, k_tile), "BB", samples::at(20));
}

TEST(PeelingDecisions, HaveBothSides) {
  const Target machine = load_target("sw26010", {});
  const auto made = peeling_decisions(pipelined(64, 64), machine, samples::at(21));
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].what, "pipeline along k.o");
  EXPECT_EQ(made[0].chosen, "guarded");
  EXPECT_EQ(made[0].cycles, 16 * 16);  // a condition in each step
  EXPECT_EQ(made[0].instead, "peeled");
  EXPECT_GT(made[0].instead_cycles, made[0].cycles);
}

TEST(PeelingDecisions, ManyConditionsCostMoreThanCode) {
  const Target machine = load_target("sw26010", {});
  const auto made = peeling_decisions(pipelined(64, 32), machine, samples::at(21));
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].chosen, "peeled");
  EXPECT_EQ(made[0].instead, "guarded");
  EXPECT_EQ(made[0].instead_cycles, 16 * 32);
  EXPECT_LT(made[0].cycles, made[0].instead_cycles);
}

TEST(PeelingDecisions, AreNoneWithoutAPipelineOrFigures) {
  EXPECT_THAT(peeling_decisions(buffered_matmul(64, 32), load_target("sw26010", {}), {}),
              IsEmpty());
  EXPECT_THAT(peeling_decisions(pipelined(64, 32), load_target("c", {}), {}), IsEmpty());
}

}  // namespace
}  // namespace solway::driver
