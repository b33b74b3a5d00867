#include "driver/peeling_decisions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/double_buffer.h"

#include "tests/unit/memory_planner/buffered_matmul.h"

namespace solway::driver {
namespace {

using memory_planner::testing::buffered_matmul;
using ::testing::IsEmpty;

schedule::State pipelined() {
  return schedule::double_buffer(buffered_matmul(64, 32), "BB", samples::at(20));
}

TEST(PeelingDecisions, HaveBothSides) {
  const auto made = peeling_decisions(pipelined(), load_target("sw26010", {}), samples::at(21));
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].what, "pipeline along k.o");
  EXPECT_EQ(made[0].chosen, "guarded");
  EXPECT_EQ(made[0].instead, "peeled");
  EXPECT_GT(made[0].instead_cycles, made[0].cycles);
}

TEST(PeelingDecisions, AreNoneWithoutAPipelineOrFigures) {
  EXPECT_THAT(peeling_decisions(buffered_matmul(64, 32), load_target("sw26010", {}), {}),
              IsEmpty());
  EXPECT_THAT(peeling_decisions(pipelined(), load_target("c", {}), {}), IsEmpty());
}

}  // namespace
}  // namespace solway::driver
