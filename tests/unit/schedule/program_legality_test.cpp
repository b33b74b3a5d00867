#include "schedule/program_legality.h"

#include <chrono>
#include <cstdlib>
#include <iostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/legality.h"
#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "schedule/split.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"
#include "tests/unit/schedule/execution.h"
#include "tests/unit/schedule/random_schedules.h"

namespace solway::schedule {
namespace {

using ::testing::HasSubstr;
using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

const Request kRequest{"buffer_read(T)", {"user.py", 9, ""}};

unsigned number(const char* variable, unsigned otherwise) {
  const char* chosen = std::getenv(variable);
  return chosen == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(chosen, nullptr, 10));
}

/// What `require` says: empty when it accepts.
template <typename Require>
std::string verdict(const Require& require) {
  try {
    require();
  } catch (const IllegalScheduleError& e) {
    return e.what();
  }
  return "";
}

std::string verdict_of_program(const State& state) {
  return verdict([&] {
    require_program_legal(*state.original, *state.program, kRequest);
    require_marks_legal(state, kRequest);
  });
}

std::string verdict_of_order(const State& state) {
  return verdict([&] {
    require_order_legal(state, kRequest);
    require_marks_legal(state, kRequest);
  });
}

Execution::Result expected_of(const State& state, std::mt19937& random) {
  return *Execution(*state.program, state.order).run({}, Interleaving::InOrder, random);
}

std::string text_of(const State& state) {
  std::string out;
  for (const Placement& p : state.order.placements) {
    out += p.statement + " at";
    for (const LoopId id : p.path) {
      const Loop& loop = state.order.loop(id);
      out += " " + loop.name + "=" + isl_ext::to_string(loop.value.at(p.statement)) +
             (loop.mark == LoopMark::Parallel ? " parallel" : "");
    }
    const Statement& s = state.program->statement(p.statement);
    out += "\n    writes " + isl_ext::to_string(s.written());
    for (const Operand& operand : s.reads)
      out += "\n    reads " + isl_ext::to_string(operand.relation);
    out += "\n";
  }
  return out;
}

struct Tally {
  int right_accepted = 0, wrong_refused = 0, right_refused = 0, wrong_accepted = 0, undecided = 0;
  std::map<std::string, int> strict;
};

/// Walks from `sample` through random steps; each verdict is compared with execution.
void walk(ScheduleGenerator& generator, const PlainSample& sample, Tally& tally) {
  State state = testing::make_state(sample);
  const Execution::Result expected = expected_of(state, generator.random());
  for (int steps = generator.pick(2, 7); steps > 0; --steps) {
    std::string what;
    State next = state;
    std::string refusal;
    const bool buffer = generator.chance(55);
    if (buffer) {
      const auto made = generator.buffer(state, what);
      if (!made) continue;
      next = *made;
    } else {
      next = generator.order(state, what);
    }
    SCOPED_TRACE(sample.name + ", " + what + "\n" + text_of(next));
    try {
      refusal = buffer ? verdict_of_program(next) : verdict_of_order(next);
    } catch (const AnalysisBudgetError&) {
      ++tally.undecided;
      continue;
    }
    const bool right = runs_right(*next.program, next.order, expected, generator.random());
    EXPECT_TRUE(right || !refusal.empty()) << "accepted, but computes something else";
    ++(right             ? refusal.empty() ? tally.right_accepted : tally.right_refused
       : refusal.empty() ? tally.wrong_accepted
                         : tally.wrong_refused);
    if (right && !refusal.empty()) {
      ++tally.strict[(buffer ? "program: " : "order: ") + what.substr(0, what.find(' ')) + ": " +
                     refusal.substr(0, std::min<std::size_t>(90, refusal.find('\n')))];
      if (std::getenv("SOLWAY_SHOW_STRICT") != nullptr) {
        std::cout << "STRICT " << sample.name << ", " << what << "\n"
                  << refusal << "\n"
                  << text_of(next);
      }
    }
    if (refusal.empty() && right) state = next;
    if (state.program->statements.size() > 9 || ::testing::Test::HasFailure()) return;
  }
}

TEST(RequireProgramLegal, AgreesWithExecution) {
  const unsigned seed = number("SOLWAY_SEED", 20240612U);
  const int walks = static_cast<int>(number("SOLWAY_WALKS", 150));
  std::cout << "SOLWAY_SEED=" << seed << "\n";
  ScheduleGenerator generator(seed);
  Tally tally;
  for (int k = 0; k < walks && !HasFailure(); ++k) {
    SCOPED_TRACE("walk " + std::to_string(k));
    walk(generator, generator.sample(), tally);
  }
  std::cout << tally.right_accepted << " right accepted, " << tally.wrong_refused
            << " wrong refused, " << tally.right_refused << " right refused, "
            << tally.wrong_accepted << " wrong accepted, " << tally.undecided << " undecided\n";
  for (const auto& [what, count] : tally.strict) std::cout << "  " << count << " " << what << "\n";
  const int cases = tally.right_accepted + tally.wrong_refused + tally.right_refused;
  EXPECT_GE(cases, 3 * walks);
  EXPECT_GE(4 * tally.right_accepted, cases);
  EXPECT_GE(4 * tally.wrong_refused, cases);
  // What is refused without need: transfers of what nobody reads, terms of a sum on several cores.
  EXPECT_LE(20 * tally.right_refused, cases);
}

/// One random primitive of the user's, on `stage`.
State user_step(ScheduleGenerator& generator, const State& state, const std::string& stage,
                const std::vector<std::string>& tensors, std::string& what) {
  const SourceLoc where{"user.py", 9, ""};
  std::vector<LoopId> loops = state.stage_loops.at(stage);
  const auto count = static_cast<int>(loops.size());
  const LoopId loop = loops[static_cast<std::size_t>(generator.pick(0, count))];
  const std::string& name = loop_name(state, loop);
  const std::string tensor =
      tensors[static_cast<std::size_t>(generator.pick(0, static_cast<int>(tensors.size())))];
  switch (generator.pick(0, 6)) {
    case 0:
      what += " split " + name;
      return schedule::split(state, stage, loop, generator.pick(2, 4), where).state;
    case 1:
      std::shuffle(loops.begin(), loops.end(), generator.random());
      what += " reorder";
      for (const LoopId id : loops) what += " " + loop_name(state, id);
      return schedule::reorder(state, stage, loops, where);
    case 2:
      what += " parallel " + name;
      return schedule::parallel(state, stage, loop, where);
    case 3:
      what += " write at " + name;
      return schedule::buffer_write(state, {stage, stage, {}, loop, "", {}, "buffer_write"}, where)
          .state;
    default:
      what += " read " + tensor + " at " + name;
      return schedule::buffer_read(
                 state,
                 {stage, tensor, {}, generator.chance(20) ? -1 : loop, "", {}, "buffer_read"},
                 where)
          .state;
  }
}

/// What the primitives make of whole programs computes the same, whatever else they refuse.
TEST(RequireProgramLegal, SchedulesOfUsersRunRight) {
  const unsigned seed = number("SOLWAY_SEED", 20240613U);
  std::cout << "SOLWAY_SEED=" << seed << "\n";
  ScheduleGenerator generator(seed);
  const int cases = static_cast<int>(number("SOLWAY_WALKS", 20));
  int made = 0, illegal = 0, other = 0, with_buffers = 0;
  for (int k = 0; k < cases && !HasFailure(); ++k) {
    const samples::Matmul matmul(generator.pick(1, 3), generator.pick(2, 5), generator.pick(2, 6));
    const samples::Pipeline pipeline(generator.pick(3, 7));
    const bool is_matmul = generator.chance(60);
    State state = schedule::make_state({is_matmul ? matmul.c : pipeline.c}, samples::at(5));
    const std::vector<std::string> tensors =
        is_matmul ? std::vector<std::string>{"A", "B"} : std::vector<std::string>{"P"};
    const Execution::Result expected = expected_of(state, generator.random());
    std::string what;
    for (int step = 0; step < 5; ++step) {
      try {
        state = user_step(generator, state, "C", tensors, what);
      } catch (const IllegalScheduleError& e) {
        what += " (illegal)";
        ++illegal;
        continue;
      } catch (const ScheduleArgumentError&) {
        what += " (refused)";
        ++other;
        continue;
      } catch (const UnsupportedError&) {
        what += " (unsupported)";
        ++other;
        continue;
      }
      SCOPED_TRACE("case " + std::to_string(k) + ":" + what + "\n" + text_of(state));
      EXPECT_TRUE(runs_right(*state.program, state.order, expected, generator.random()));
      ++made;
      with_buffers += state.program->buffers.empty() ? 0 : 1;
    }
  }
  std::cout << made << " right, " << with_buffers << " of them with buffers; " << illegal
            << " illegal, " << other << " refused for another reason\n";
  EXPECT_GE(with_buffers, cases);
}

/// A buffer by hand, proved and executed.
struct Probe {
  std::string name;
  PlainSample sample;
  BufferPlan plan;
  bool right = false;
};

void PrintTo(const Probe& probe, std::ostream* out) { *out << probe.name; }

class RequireProgramLegalProbe : public ::testing::TestWithParam<Probe> {};

TEST_P(RequireProgramLegalProbe, AgreesWithExecution) {
  const Probe& probe = GetParam();
  std::mt19937 random(1);
  const State state = testing::make_state(probe.sample);
  const auto made = HandMade(state, probe.plan).make();
  ASSERT_TRUE(made);
  const bool right = runs_right(*made->program, made->order, expected_of(state, random), random);
  EXPECT_EQ(right, probe.right);
  const std::string refusal = verdict_of_program(*made);
  EXPECT_EQ(refusal.empty(), probe.right) << refusal;
}

INSTANTIATE_TEST_SUITE_P(
    HandMade, RequireProgramLegalProbe,
    ::testing::Values(
        Probe{"GetInsideTheReduction", matmul_sample(1, 3, 4, true, 0), {"A", {"U"}, 3}, true},
        Probe{"GetOutsideAllLoops", matmul_sample(2, 3, 4, true, 0), {"B", {"U"}, 0}, true},
        Probe{"PutOutsideTheReduction",
              matmul_sample(2, 3, 4, true, 0),
              {"C", {"I", "U"}, 2, false, true},
              true},
        Probe{"PartialSumsLoadedBack",
              matmul_sample(2, 3, 4, false, 1),
              {"C", {"U"}, 3, true, true},
              true},
        Probe{"PartialSumsNotLoadedBack",
              matmul_sample(2, 3, 4, false, 1),
              {"C", {"U"}, 3, false, true},
              false},
        Probe{"InputCopiedToTheWrongPlace",
              matmul_sample(1, 3, 4, true, 0),
              {"B", {"U"}, 1, true, false, Fault::Offset},
              false},
        Probe{"IntermediateCopiedToTheWrongPlace",
              pipeline_sample(5),
              {"P", {"C"}, 0, true, false, Fault::Offset},
              false},
        Probe{"OperandsExchanged",
              pipeline_sample(5),
              {"P", {"C"}, 1, true, false, Fault::Swapped},
              false},
        Probe{"BoxOfTheNextPosition",
              pipeline_sample(5),
              {"P", {"C"}, 1, true, false, Fault::Neighbour},
              false},
        Probe{"StoredBoxLeavesTheArray",
              pipeline_sample(5),
              {"C", {"C"}, 0, false, true, Fault::Overrun},
              false},
        Probe{"StoredBoxHoldsMoreThanWasWritten",
              gauss_seidel_sample(2, 5),
              {"T", {"S"}, 1, true, true, Fault::Overrun},
              false},
        Probe{"LastElementNotCopied",
              pipeline_sample(5),
              {"P", {"C"}, 0, true, false, Fault::Short},
              false},
        Probe{"BufferTooSmall",
              matmul_sample(1, 3, 4, true, 0),
              {"B", {"U"}, 0, true, false, Fault::Small},
              false},
        Probe{"LastWaitDropped",
              pipeline_sample(5),
              {"P", {"C"}, 1, true, false, Fault::DroppedWait},
              false},
        Probe{"LastIssueDropped",
              pipeline_sample(5),
              {"P", {"C"}, 1, true, false, Fault::DroppedIssue},
              false},
        Probe{"FilledBeforeTheLoopThatWritesIt", gauss_seidel_sample(2, 5), {"T", {"S"}, 0}, false},
        Probe{"FilledInsideTheLoopThatWritesIt", gauss_seidel_sample(2, 5), {"T", {"S"}, 2}, true}),
    [](const auto& info) { return info.param.name; });

/// The get of A outside both loops of its users, then its statements in another order.
State with_statement_moved(const std::string& name, int by) {
  State out = *HandMade(testing::make_state(pipeline_sample(5)), {"P", {"C"}, 1}).make();
  auto& all = out.order.placements;
  auto at =
      std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.statement == name; });
  for (; by > 0; --by, ++at) std::iter_swap(at, at + 1);
  auto program = std::make_shared<Program>(*out.program);
  program->reference = time_of(program->ctx(), out.order, program->domains());
  out.program = program;
  return out;
}

TEST(RequireProgramLegal, AWaitStandsBetweenIssueAndUse) {
  EXPECT_EQ(verdict_of_program(with_statement_moved("PP_get_issue", 0)), "");
  EXPECT_THAT(verdict_of_program(with_statement_moved("PP_get_issue", 1)),
              HasSubstr("its issue comes later"));
  EXPECT_THAT(verdict_of_program(with_statement_moved("PP_get_complete", 1)),
              HasSubstr("before its transfer is complete"));
}

TEST(RequireProgramLegal, GivesUpWithinItsBudget) {
  const State state = testing::make_state(matmul_sample(2, 3, 4, true, 0));
  const State made = *HandMade(state, {"A", {"U"}, 2}).make();
  EXPECT_NO_THROW(require_program_legal(*made.original, *made.program, kRequest));
  EXPECT_THROW(require_program_legal(*made.original, *made.program, kRequest, 100),
               AnalysisBudgetError);
  EXPECT_THROW(require_program_legal(*made.original, *made.program, kRequest, 5000),
               AnalysisBudgetError);
}

/// Loops i and j around a buffer that both fill anew, exchanged.
TEST(RequireOrderLegal, ReuseOfABufferIsDecidedByFlow) {
  const State state = testing::make_state(matmul_sample(2, 3, 4, false, 0));
  State made = *HandMade(state, {"B", {"U"}, 2}).make();
  for (Placement& p : made.order.placements) std::swap(p.path[0], p.path[1]);
  EXPECT_EQ(verdict_of_order(made), "");
  State moved = made;
  const auto issue = std::find_if(moved.order.placements.begin(), moved.order.placements.end(),
                                  [](const auto& p) { return p.statement == "BB_get_issue"; });
  std::iter_swap(issue, issue + 1);
  EXPECT_NE(verdict_of_order(moved), "");
}

/// Two positions of one buffer in one iteration, statement by statement.
TEST(RequireOrderLegal, PositionsAtOneTimeShareNoBuffer) {
  const State made = *HandMade(testing::make_state(pipeline_sample(4)), {"P", {"C"}, 1}).make();
  State together = made;
  for (auto& [name, value] : together.order.loops.at(1).value) {
    value = value.scale_down(2).floor();
  }
  EXPECT_EQ(verdict_of_order(made), "");
  EXPECT_THAT(verdict_of_order(together), HasSubstr("PP[0]"));
}

TEST(RequireNoRace, EachCoreHasItsOwnBuffers) {
  const State state = testing::make_state(matmul_sample(2, 3, 4, false, 0));
  const auto on_cores = [&](std::size_t depth, LoopId id) {
    State made = *HandMade(state, {"B", {"U"}, depth}).make();
    made.order.loops.at(id).mark = LoopMark::Parallel;
    return verdict([&] { require_no_race(made, id, kRequest); });
  };
  EXPECT_EQ(on_cores(1, 0), "");
  EXPECT_EQ(on_cores(2, 1), "");
  EXPECT_THAT(on_cores(0, 0), HasSubstr("would use 'BB' on a core that did not fill it"));
  EXPECT_THAT(on_cores(1, 1), HasSubstr("outside parallel loop 'l1', each core has its own"));
}

}  // namespace
}  // namespace solway::schedule
