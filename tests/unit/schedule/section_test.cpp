#include "schedule/section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/compute_at.h"
#include "schedule/fuse_with.h"
#include "schedule/unroll.h"

#include "tests/unit/schedule/three_stages.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs
using ::testing::ElementsAre;

std::vector<std::string> statements_of_sections(const State& state) {
  std::vector<std::string> out;
  for (const State& section : sections_of(state)) {
    std::string names;
    for (const auto& [name, s] : section.program->statements) {
      names += (names.empty() ? "" : " ") + name;
    }
    out.push_back(names);
  }
  return out;
}

TEST(SectionsOf, EachStageIsOne) {
  const ThreeStages t(4, 6);
  EXPECT_THAT(statements_of_sections(t.state), ElementsAre("P", "Q Q_init", "R"));
  const std::vector<State> sections = sections_of(t.state);
  EXPECT_EQ(sections[1].program->arrays.count("A"), 0U);
  EXPECT_THAT(*sections[0].program->seen, ElementsAre("P"));
  EXPECT_THAT(*sections[1].program->seen, ElementsAre("Q"));
  EXPECT_THAT(*sections[2].program->seen, ElementsAre("R"));
}

TEST(SectionsOf, TransfersBelongToTheirUsers) {
  const ThreeStages t(4, 6);
  const LoopId i = t.state.stage_loops.at("Q")[0];
  const State buffered =
      buffer_read(t.state, {"Q", "P", {}, i, "", {}, "buffer_read"}, samples::at(9)).state;
  EXPECT_THAT(statements_of_sections(buffered),
              ElementsAre("P", "PP_get_complete PP_get_issue Q Q_init", "R"));
}

TEST(SectionsOf, AStageInTheLoopsOfAnotherIsNotApart) {
  const ThreeStages t(4, 6);
  const LoopId i = t.state.stage_loops.at("R")[0];
  const State placed = compute_at(t.state, "Q", "R", i, samples::at(9));
  EXPECT_EQ(sections_of(placed).size(), 2U);
  const State fused = fuse_with(t.state, "Q", "R", i, samples::at(9));
  EXPECT_THAT(statements_of_sections(fused), ElementsAre("P", "Q Q_init R"));
}

TEST(IsSameSection, SeesWhatAPrimitiveChanged) {
  const ThreeStages t(4, 6);
  const LoopId i = t.state.stage_loops.at("P")[0];
  const std::vector<State> before = sections_of(t.state);
  for (const State& next :
       {split(t.state, "P", i, 2, samples::at(9)).state, parallel(t.state, "P", i, samples::at(9)),
        buffer_write(t.state, {"P", "P", {}, i, "", {}, "buffer_write"}, samples::at(9)).state}) {
    const std::vector<State> after = sections_of(next);
    ASSERT_EQ(after.size(), 3U);
    EXPECT_FALSE(is_same_section(before[0], after[0]));
    EXPECT_TRUE(is_same_section(before[1], after[1]));
    EXPECT_TRUE(is_same_section(before[2], after[2]));
  }
  const std::vector<State> unrolled = sections_of(unroll(t.state, "P", i, samples::at(9)));
  EXPECT_TRUE(is_same_section(before[0], unrolled[0]));
}

}  // namespace
}  // namespace solway::schedule
