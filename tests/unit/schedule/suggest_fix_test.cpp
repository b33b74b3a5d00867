#include "schedule/suggest_fix.h"

#include <gtest/gtest.h>

#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "support/error.h"

#include "tests/unit/schedule/random_schedules.h"
#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

/// A refused primitive as the function `apply` of a state and loops.
template <typename Apply>
Attempt attempt(const std::string& primitive, const std::string& stage, std::vector<LoopId> axes,
                const Apply& apply) {
  return {primitive, stage, std::move(axes),
          [apply](const State& s, const Change& change) -> std::optional<State> {
            try {
              return apply(s, change.axes);
            } catch (const Error&) {
              return std::nullopt;
            }
          },
          [primitive, stage](const Change& change) {
            if (primitive == "parallel") {
              return "s[" + stage + "].parallel(" + std::to_string(change.axes.at(0)) + ")";
            }
            return primitive + "(" + std::to_string(change.number.value_or(0)) + ")";
          }};
}

Attempt reordered(std::vector<LoopId> axes) {
  return attempt("reorder", "S", std::move(axes), [](const State& s, const auto& loops) {
    return reorder(s, "S", loops, samples::at(9));
  });
}

TEST(SuggestFix, SkewsAStencilBeforeItsReorder) {
  const State state = testing::make_state(jacobi_sample(4, 6));
  const std::vector<LoopId> loops = state.stage_loops.at("S");
  const auto fix = suggest_fix(state, reordered({loops[1], loops[0]}), samples::at(8));
  ASSERT_TRUE(fix);
  const std::string inner = loop_name(state, loops[1]), outer = loop_name(state, loops[0]);
  EXPECT_EQ(fix->text, "s[S].skew('" + inner + "', by='" + outer + "', factor=1), then reorder");
  ASSERT_EQ(fix->state.log.size(), 1U);
  EXPECT_EQ(fix->state.log[0].primitive, "skew");
  EXPECT_EQ(fix->state.log[0].where.line, 8);
  EXPECT_NO_THROW(reorder(fix->state, "S", {loops[1], loops[0]}, samples::at(9)));
  const auto again =
      suggest_fix(state, reordered({loops[1], loops[0]}), samples::at(7), fix->number);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->number, fix->number);
  EXPECT_EQ(again->state.log[0].where.line, 7);
}

TEST(SuggestFix, FindsAWavefront) {
  const State state = testing::make_state(gauss_seidel_sample(3, 6));
  const std::vector<LoopId> loops = state.stage_loops.at("S");
  const auto mark = [](const State& s, const auto& axes) {
    return parallel(s, "S", axes.at(0), samples::at(9));
  };
  EXPECT_THROW(mark(state, std::vector<LoopId>{loops[0]}), IllegalScheduleError);
  const auto fix = suggest_fix(state, attempt("parallel", "S", {loops[0]}, mark), samples::at(8));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->state.log.size(), 2U) << fix->text;
  EXPECT_NO_THROW(mark(fix->state, std::vector<LoopId>{loops[0]}));
}

TEST(SuggestFix, MarksAnotherLoopInstead) {
  const State state = testing::make_state(jacobi_sample(4, 6));
  const std::vector<LoopId> loops = state.stage_loops.at("S");
  const auto mark = [](const State& s, const auto& axes) {
    return parallel(s, "S", axes.at(0), samples::at(9));
  };
  const auto fix = suggest_fix(state, attempt("parallel", "S", {loops[0]}, mark), samples::at(8));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->text, "s[S].parallel(" + std::to_string(loops[1]) + ") instead");
  EXPECT_EQ(fix->state.order.loop(loops[1]).mark, LoopMark::Parallel);
}

TEST(SuggestFix, FindsNothingForWhatIsAlwaysRefused) {
  const State state = testing::make_state(jacobi_sample(4, 6));
  const std::vector<LoopId> loops = state.stage_loops.at("S");
  int tried = 0;
  Attempt never = reordered({loops[1], loops[0]});
  never.apply = [&](const State&, const auto&) -> std::optional<State> {
    ++tried;
    return std::nullopt;
  };
  EXPECT_FALSE(suggest_fix(state, never, samples::at(8)));
  EXPECT_GT(tried, 0);
  EXPECT_LE(static_cast<std::size_t>(tried), kFixCandidates);
  never.primitive = "prefetch";
  never.number = 3;
  EXPECT_FALSE(suggest_fix(state, never, samples::at(8)));
  never.primitive = "frobnicate";
  EXPECT_FALSE(suggest_fix(state, never, samples::at(8)));
}

TEST(SuggestFix, PassesASmallerNumber) {
  const State state = testing::make_state(jacobi_sample(4, 6));
  Attempt early{"prefetch", "", {}, {}};
  early.number = 4;
  early.apply = [](const State& s, const Change& change) {
    return change.number.value_or(9) <= 2 ? std::optional(s) : std::nullopt;
  };
  early.text = [](const Change& change) {
    return "s.prefetch(AA, " + std::to_string(*change.number) + ")";
  };
  const auto fix = suggest_fix(state, early, samples::at(8));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->text, "s.prefetch(AA, 2) instead");
}

}  // namespace
}  // namespace solway::schedule
