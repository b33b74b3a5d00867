#include "driver/fixed_choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/bind.h"
#include "schedule/buffer_read.h"
#include "schedule/parallel.h"
#include "schedule/vectorize.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using memory_planner::extract_stage;
using schedule::State;
using ::testing::HasSubstr;

State product() { return schedule::make_state({samples::Matmul(8, 16, 4).c}, {}); }

std::string fixed_of(const State& state) {
  return what_is_fixed(state, extract_stage(state, "C"), load_target("sw26010", {}));
}

bool may_search_c(const State& state) {
  return may_search(state, extract_stage(state, "C"), load_target("sw26010", {}));
}

TEST(FixedChoices, NothingOfAStageAsItIsWritten) {
  const State state = product();
  EXPECT_EQ(fixed_of(state), "");
  EXPECT_TRUE(may_search_c(state));
}

TEST(FixedChoices, ALoopOnTheCoresIsSearchedAround) {
  const State start = product();
  const State state = schedule::parallel(start, "C", start.stage_loops.at("C")[0], {});
  EXPECT_EQ(fixed_of(state), "");
}

TEST(FixedChoices, VectorsAreSearchedAroundWhereTheyAreCounted) {
  const State start = product();
  const State rows = schedule::vectorize(start, "C", start.stage_loops.at("C")[1], {});
  EXPECT_EQ(fixed_of(rows), "");
  const State state = schedule::vectorize(start, "C", start.stage_loops.at("C")[0], {});
  EXPECT_THAT(fixed_of(state), HasSubstr("no vectors along 'x'"));
  EXPECT_FALSE(may_search_c(state));
}

TEST(FixedChoices, OtherHardwareIsFixed) {
  const State start = product();
  const State state = schedule::bind(start, "C", start.stage_loops.at("C")[0], "row", {});
  EXPECT_THAT(fixed_of(state), HasSubstr("in a way of their own"));
}

TEST(FixedChoices, AStageWithABufferIsNotSearched) {
  const State start = product();
  schedule::BufferRequest request;
  request.stage = "C";
  request.tensor = "A";
  request.at = start.stage_loops.at("C")[0];
  const State state = schedule::buffer_read(start, request, {}).state;
  EXPECT_EQ(fixed_of(state), "");
  EXPECT_FALSE(may_search_c(state));
}

}  // namespace
}  // namespace solway::driver
