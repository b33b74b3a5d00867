#include "schedule/draft.h"

#include <cstdlib>
#include <iostream>
#include <utility>

#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/schedule/execution.h"
#include "tests/unit/schedule/scheduled.h"
#include "tests/unit/schedule/three_stages.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

const Request kRequest{"auto_buffer", {"user.py", 9, ""}};

TEST(Draft, PrimitivesApplyWithoutAProof) {
  const ScheduledMatmul m(4, 6, 8);
  EXPECT_THROW(parallel(m.state, "C", m.lk, samples::at(9)), IllegalScheduleError);
  const State draft = parallel(begin_draft(m.state), "C", m.lk, samples::at(9));
  EXPECT_EQ(draft.order.loop(m.lk).mark, LoopMark::Parallel);
  EXPECT_FALSE(try_settle(draft, kRequest));
}

TEST(Draft, WhatIsSettledIsNoDraft) {
  const ScheduledMatmul m(4, 6, 8);
  const auto settled =
      try_settle(parallel(begin_draft(m.state), "C", m.lx, samples::at(9)), kRequest);
  ASSERT_TRUE(settled);
  EXPECT_EQ(settled->draft_of, nullptr);
  EXPECT_EQ(settled->log.size(), 1U);
  EXPECT_THROW(parallel(*settled, "C", m.lk, samples::at(9)), IllegalScheduleError);
}

TEST(SettleOrder, KeepsWhatIsLegalAndNothingElse) {
  const ThreeStages t(3, 4);  // sections of their own
  const ScheduledMatmul m(4, 6, 8);
  for (const LoopId legal : {m.lx, m.ly}) {
    const auto settled =
        settle_order(parallel(begin_draft(m.state), "C", legal, samples::at(9)), kRequest);
    ASSERT_TRUE(settled);
    EXPECT_EQ(settled->draft_of, nullptr);
    EXPECT_EQ(settled->order.loop(legal).mark, LoopMark::Parallel);
    EXPECT_THROW(parallel(*settled, "C", m.lk, samples::at(9)), IllegalScheduleError);
  }
  EXPECT_FALSE(settle_order(parallel(begin_draft(m.state), "C", m.lk, samples::at(9)), kRequest));
  EXPECT_TRUE(settle_order(begin_draft(t.state), kRequest));
  State swapped = begin_draft(t.state);  // a reader before what it reads
  std::swap(swapped.order.placements.front(), swapped.order.placements.back());
  EXPECT_FALSE(settle_order(std::move(swapped), kRequest));
}

TEST(Draft, RefusesWhatCannotBeAskedFor) {
  const ScheduledMatmul m(4, 6, 8);
  EXPECT_THROW(split(begin_draft(m.state), "C", m.lx, 0, samples::at(9)), ScheduleArgumentError);
}

/// Random primitives, right and wrong, are settled exactly when they compute what was written.
TEST(Draft, SettlingAgreesWithExecution) {
  const char* const chosen = std::getenv("SOLWAY_SEED");
  const unsigned seed = chosen == nullptr ? 20240702U : std::strtoul(chosen, nullptr, 10);
  const char* const asked = std::getenv("SOLWAY_WALKS");
  const int cases = asked == nullptr ? 60 : std::atoi(asked);
  std::cout << "SOLWAY_SEED=" << seed << "\n";
  ScheduleGenerator generator(seed);
  int right = 0, wrong = 0, strict = 0;
  for (int k = 0; k < cases && !HasFailure(); ++k) {
    const ThreeStages t(generator.pick(2, 4), generator.pick(2, 5));
    const auto expected = *Execution(*t.state.program, t.state.order)
                               .run({}, Interleaving::InOrder, generator.random());
    State draft = begin_draft(t.state);
    std::string what;
    for (int steps = generator.pick(1, 5); steps > 0; --steps) {
      try {
        draft = random_step(generator, draft, what);
      } catch (const ScheduleArgumentError&) {
        what += " (refused)";
      }
    }
    if (generator.chance(35)) {  // a fault that no primitive makes
      auto& all = draft.order.placements;
      const auto at = static_cast<std::size_t>(generator.pick(0, static_cast<int>(all.size()) - 1));
      what += " swap " + all[at].statement + " and " + all[at + 1].statement;
      std::swap(all[at], all[at + 1]);
    }
    SCOPED_TRACE("case " + std::to_string(k) + ":" + what);
    const bool runs = runs_right(*draft.program, draft.order, expected, generator.random());
    const bool is_settled = try_settle(draft, kRequest).has_value();
    EXPECT_TRUE(runs || !is_settled) << "settled, but computes something else";
    ++(is_settled ? right : runs ? strict : wrong);
  }
  std::cout << right << " right, " << wrong << " wrong, " << strict << " right and not settled\n";
  EXPECT_GE(right, cases / 5);
  EXPECT_GE(wrong, cases / 10);
}

}  // namespace
}  // namespace solway::schedule
