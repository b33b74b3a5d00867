#include "schedule/program_legality.h"

#include <chrono>
#include <cstdlib>
#include <iostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/legality.h"
#include "support/error.h"

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
    out += "\n    writes " + isl_ext::to_string(s.write);
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
                     refusal.substr(0, 90)];
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
}

}  // namespace
}  // namespace solway::schedule
