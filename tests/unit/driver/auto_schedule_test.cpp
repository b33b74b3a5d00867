#include "driver/auto_schedule.h"

#include <gtest/gtest.h>

#include "driver/target_choice.h"
#include "schedule/split.h"
#include "support/error.h"

#include "tests/unit/memory_planner/vector_samples.h"

namespace solway::driver {
namespace {

using memory_planner::testing::vector_machine;
using samples::at;

TEST(AutoSchedule, AProductHasVectorsAndRegisters) {
  const samples::Matmul matmul(96, 128, 64);
  const auto made =
      auto_schedule(schedule::make_state({matmul.c}, {}), vector_machine(), {}, at(9));
  ASSERT_EQ(made.choices.size(), 1U);
  EXPECT_EQ(made.choices[0].stage, "C");
  EXPECT_GT(made.choices[0].cycles, 0);
  EXPECT_FALSE(made.choices[0].decisions.empty());
  EXPECT_EQ(made.state.log.back().primitive, "buffer_write");
  ASSERT_EQ(made.alternatives.size(), 1U);
  EXPECT_GT(made.alternatives[0].second.size(), 1U);
}

TEST(AutoSchedule, APickIsTaken) {
  const samples::Matmul matmul(96, 128, 64);
  const schedule::State state = schedule::make_state({matmul.c}, {});
  const auto first = auto_schedule(state, vector_machine(), {}, at(9));
  const auto second = auto_schedule(state, vector_machine(), {{"C", 1}}, at(9));
  EXPECT_LE(first.choices[0].cycles, second.choices[0].cycles);
  EXPECT_EQ(second.choices[0].cycles, second.alternatives[0].second[1].cycles);
  EXPECT_THROW(auto_schedule(state, vector_machine(), {{"C", 99}}, at(9)), InternalError);
}

TEST(AutoSchedule, TilesAreListedInOtherWays) {
  const samples::Matmul matmul(96, 128, 64);
  const schedule::State state = schedule::make_state({matmul.c}, {});
  const auto made = auto_schedule(state, vector_machine(), {}, at(9));
  const std::vector<Alternative>& listed = made.alternatives[0].second;
  EXPECT_EQ(listed[0].of, -1);
  std::string texts;
  for (std::size_t k = 0; k < listed.size(); ++k) {
    if (listed[k].of < 0) continue;
    ASSERT_LT(listed[k].of, static_cast<int>(k));
    EXPECT_EQ(listed[static_cast<std::size_t>(listed[k].of)].of, -1);
    texts += listed[k].text + "\n";
  }
  EXPECT_NE(texts.find("terms of k together"), std::string::npos);
  EXPECT_NE(texts.find("groups of"), std::string::npos);
}

TEST(AutoSchedule, SaysWhichTermsAreWrittenOut) {
  const auto made =
      auto_schedule(memory_planner::testing::each_channel(14, 14, 5), vector_machine(), {}, at(9));
  std::string texts;
  for (const Alternative& one : made.alternatives[0].second) texts += one.text + "\n";
  EXPECT_NE(texts.find("in registers, terms written out"), std::string::npos);
  EXPECT_NE(texts.find("in registers, terms of q written out"), std::string::npos);
}

TEST(AutoSchedule, AStageOfTheUserStays) {
  const samples::Matmul matmul(96, 128, 64);
  const schedule::State state = schedule::make_state({matmul.c}, {});
  const auto touched = schedule::split(state, "C", state.stage_loops.at("C")[0], 8, at(8));
  const auto made = auto_schedule(touched.state, vector_machine(), {}, at(9));
  EXPECT_EQ(made.state.log.size(), 1U);
  ASSERT_EQ(made.remarks.size(), 1U);
  EXPECT_EQ(made.remarks[0].verdict, "left as it is");
}

TEST(AutoSchedule, AScratchpadIsPlannedByAutoBuffer) {
  const samples::Matmul matmul(64, 64, 64);
  const auto made = auto_schedule(schedule::make_state({matmul.c}, {}),
                                  require_target("sw26010", at(9)), {}, at(9));
  ASSERT_EQ(made.choices.size(), 1U);
  EXPECT_EQ(made.choices[0].planner, "optimal");
}

TEST(AutoSchedule, ATargetWithNeitherIsRefused) {
  const samples::Matmul matmul(64, 64, 64);
  EXPECT_THROW(
      auto_schedule(schedule::make_state({matmul.c}, {}), require_target("c", at(9)), {}, at(9)),
      UnsupportedError);
}

}  // namespace
}  // namespace solway::driver
