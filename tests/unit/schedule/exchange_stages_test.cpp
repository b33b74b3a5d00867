#include "schedule/exchange_stages.h"

#include <gtest/gtest.h>

#include "schedule/pad.h"
#include "schedule/split.h"
#include "support/isl_ext.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

/// Whether all instances of a statement come before all of another one.
bool runs_before(const Program& program, const std::string& first, const std::string& then) {
  const auto times = [&](const std::string& name) {
    return program.statement(name).domain.to_union_set().apply(program.reference).as_set();
  };
  return isl_ext::coordinates(times(first).lexmax().sample_point()) <
         isl_ext::coordinates(times(then).lexmin().sample_point());
}

/// A program in which two stages follow each other, with new ones in the place of the first.
struct Exchanged {
  samples::Pipeline sample{7};
  State state = pad(make_state({sample.c}, {}), "P", {10}, samples::at(7)).state;
};

TEST(ExchangeStages, NewStatementsRunWhereTheOldOnesRan) {
  const Exchanged exchanged;
  for (const auto& program : {exchanged.state.original, exchanged.state.program}) {
    EXPECT_TRUE(runs_before(*program, "A_pad", "P_pad"));
    EXPECT_TRUE(runs_before(*program, "P_pad", "C"));
    EXPECT_EQ(program->statements.count("P"), 0U);
  }
}

TEST(ExchangeStages, WhatProgramsShareStaysShared) {
  const Exchanged exchanged;
  const Statement& written = exchanged.state.original->statement("C");
  const Statement& now = exchanged.state.program->statement("C");
  EXPECT_EQ(written.writes[0].value, now.writes[0].value);
  ASSERT_EQ(written.reads.size(), now.reads.size());
  for (std::size_t k = 0; k < now.reads.size(); ++k) {
    EXPECT_EQ(written.reads[k].read, now.reads[k].read);
    EXPECT_EQ(now.reads[k].read->tensor->name, "P_pad");
  }
}

TEST(ExchangeStages, LoopsOfOtherStagesStay) {
  const samples::Pipeline sample(7);
  State state = make_state({sample.c}, {});
  state = split(state, "C", state.stage_loops.at("C")[0], 4, samples::at(5)).state;
  const std::vector<LoopId> before = state.stage_loops.at("C");
  const LoopId gone = state.stage_loops.at("P")[0];
  state = pad(state, "P", {10}, samples::at(7)).state;
  EXPECT_EQ(state.stage_loops.at("C"), before);
  EXPECT_TRUE(state.stage_loops.at("P").empty());
  EXPECT_EQ(state.replaced.at(gone).primitive, "pad(P, (10,))");
  EXPECT_EQ(state.order.placements.front().statement, "A_pad");
  EXPECT_EQ(state.order.placements.back().statement, "C");
}

}  // namespace
}  // namespace solway::schedule
