#include "schedule/changed_calls.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/random_schedules.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

/// "write@1 2 [ki]": a change of a call on loops of `state`, as text.
std::string text_of(const Change& change) {
  std::string out = change.primitive.empty() ? "" : "write";
  for (const LoopId id : change.axes) out += "@" + std::to_string(id);
  if (change.number) out += " " + std::to_string(*change.number);
  return out + (change.without_region ? " all" : "");
}

std::vector<std::string> texts_of(const std::vector<Change>& changes) {
  std::vector<std::string> out;
  for (const Change& change : changes) out.push_back(text_of(change));
  return out;
}

std::string at(LoopId id) { return "@" + std::to_string(id); }

TEST(ChangedCalls, PositionsNearestFirst) {
  const State state = testing::make_state(matmul_sample(2, 3, 4, false, 1));
  const std::vector<LoopId> loops = state.stage_loops.at("U");
  ASSERT_EQ(loops.size(), 3U);
  EXPECT_EQ(texts_of(other_positions(state, {"compute_at", "U", {loops[1]}, {}})),
            (std::vector<std::string>{at(loops[2]), at(loops[0])}));
  EXPECT_EQ(texts_of(other_positions(state, {"buffer_read", "U", {}, {}})),
            (std::vector<std::string>{at(loops[2]), at(loops[1]), at(loops[0])}));
  EXPECT_TRUE(other_positions(state, {"buffer_read", "", {}, {}}).empty());
  EXPECT_EQ(stage_with(state, loops[0]), "U");
  EXPECT_EQ(stage_with(state, 999), "");
}

TEST(ChangedCalls, BuffersWithFewerRegionsFirst) {
  const State state = testing::make_state(gauss_seidel_sample(2, 5));
  const std::vector<LoopId> loops = state.stage_loops.at("S");
  Attempt attempt{"buffer_read", "S", {loops[1]}, {}};
  attempt.number = 3;
  attempt.has_region = true;
  attempt.tensor = "T";
  const std::string inner = at(loops[1]), outer = at(loops[0]);
  EXPECT_EQ(texts_of(other_buffers(state, attempt)),
            (std::vector<std::string>{inner + " 2", inner + " 1", outer, "write" + inner,
                                      "write" + outer, inner + " all", outer + " all"}));
  attempt.primitive = "buffer_write";
  attempt.has_region = false;
  attempt.number = 1;
  EXPECT_EQ(texts_of(other_buffers(state, attempt)), (std::vector<std::string>{outer}));
}

TEST(ChangedCalls, NumbersTowardsNothing) {
  const State state = testing::make_state(gauss_seidel_sample(2, 5));
  Attempt attempt{"shift", "S", {}, {}};
  attempt.number = -3;
  EXPECT_EQ(texts_of(smaller_numbers(state, attempt)), (std::vector<std::string>{" -2", " -1"}));
  attempt.number = 1;
  EXPECT_TRUE(smaller_numbers(state, attempt).empty());
  attempt.number = -1;
  EXPECT_EQ(texts_of(other_factors(state, attempt)),
            (std::vector<std::string>{" -2", " 1", " -3", " 2", " 3"}));
  attempt.number.reset();
  EXPECT_TRUE(other_factors(state, attempt).empty());
}

}  // namespace
}  // namespace solway::schedule
