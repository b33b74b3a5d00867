#include "schedule/rewrite_loops.h"

#include <cstdlib>
#include <iostream>
#include <limits>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "schedule/parallel.h"
#include "support/error.h"

#include "tests/unit/schedule/random_primitives.h"
#include "tests/unit/schedule/random_schedules.h"
#include "tests/unit/schedule/scheduled.h"
#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

TEST(ReplaceInPaths, EveryPathThatHasAllOfThem) {
  ScheduledMatmul m(2, 3, 4);
  replace_in_paths(m.state, {m.ly, m.lk}, {m.lx});
  EXPECT_EQ(placements_of(m.state), (std::vector<std::string>{"C_init: x y", "C: x x"}));
  EXPECT_EQ(m.state.stage_loops.at("C"), (std::vector<LoopId>{m.lx, m.lx}));
}

TEST(SetRange, HoldsAllValues) {
  const ScheduledMatmul m(2, 3, 4);
  const ScheduledMatmul empty(2, 0, 4);
  Loop loop = m.state.order.loop(m.ly);
  for (auto& [name, value] : loop.value) value = value.scale(-3).add_constant(1);
  set_range(loop, m.state.program->domains());
  EXPECT_EQ(loop.begin, -5);
  EXPECT_EQ(loop.end, 2);
  loop = empty.state.order.loop(empty.ly);
  set_range(loop, empty.state.program->domains());
  EXPECT_EQ(loop.extent(), 0);
}

TEST(SetRange, EndsWhereNumbersDo) {
  const ScheduledMatmul m(2, 3, 4);
  Loop loop = m.state.order.loop(m.ly);
  const isl::val far(m.state.program->ctx(), std::numeric_limits<std::int64_t>::max() - 2);
  for (auto& [name, value] : loop.value) value = value.add_constant(far);  // up to INT64_MAX
  set_range(loop, m.state.program->domains());
  EXPECT_EQ(loop.begin, std::int64_t{1} << 61);
  EXPECT_EQ(loop.end, (std::int64_t{1} << 61) + 1);
  EXPECT_NE(refusal<ScheduleArgumentError>([&] {
              require_small_range(loop, "shift(y)", samples::at(9));
            }).why.find("one would be 2^61 or more"),
            std::string::npos);
}

TEST(RequireSmallRange, NamesTheFarthestValue) {
  Loop loop;
  loop.name = "i";
  loop.end = std::int64_t{1} << 60;
  EXPECT_NO_THROW(require_small_range(loop, "skew(i)", samples::at(9)));
  ++loop.end;
  const auto r =
      refusal<ScheduleArgumentError>([&] { require_small_range(loop, "skew(i)", samples::at(9)); });
  EXPECT_NE(r.why.find("one would be 1152921504606846976"), std::string::npos) << r.why;
}

TEST(RequireSerial, RefusesAMark) {
  Loop loop;
  loop.name = "i";
  EXPECT_NO_THROW(require_serial(loop, "split(i)", "split first", samples::at(9)));
  loop.mark = LoopMark::Unrolled;
  const auto r = refusal<ScheduleArgumentError>(
      [&] { require_serial(loop, "split(i)", "split first", samples::at(9)); });
  EXPECT_EQ(r.what, "split(i): 'i' is already marked");
  EXPECT_EQ(r.fix, "split first");
}

unsigned number(const char* variable, unsigned otherwise) {
  const char* chosen = std::getenv(variable);
  return chosen == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(chosen, nullptr, 10));
}

struct Tally {
  int accepted = 0, wrong_refused = 0, right_refused = 0, not_applicable = 0, unsupported = 0;
  std::map<std::string, int> of_primitive;
};

/// Walks from a random program through random primitives; each verdict is compared with what
/// listing all instances gives.
void walk(Generator& generator, Tally& tally) {
  const PlainProgram program = generator.program();
  std::set<std::string> written;
  for (const PlainStatement& s : program.statements) written.insert(s.write.array);
  State state =
      testing::make_state({"random", program, std::vector(written.begin(), written.end())});
  const PlainConflicts conflicts(program);
  PlainTree tree = tree_as_written(program.reference);
  std::string history;
  for (int steps = generator.pick(3, 9); steps > 0; --steps) {
    PlainTree next = tree;
    PrimitiveDrawer drawer(generator, state, next);
    State made;
    std::string refusal;
    try {
      made = drawer.draw();
    } catch (const IllegalScheduleError& e) {
      refusal = e.what();
    } catch (const InternalError&) {
      throw;
    } catch (const UnsupportedError&) {
      ++tally.unsupported;
      continue;
    } catch (const Error&) {
      ++tally.not_applicable;
      continue;
    }
    if (drawer.what.empty()) continue;
    SCOPED_TRACE(history + drawer.what + "\n" + refusal);
    const bool right = conflicts.hold_in(next);
    if (!refusal.empty()) {
      ++(right ? tally.right_refused : tally.wrong_refused);
      EXPECT_FALSE(right) << "refused, but no pair of instances is turned round";
      continue;
    }
    ASSERT_TRUE(right) << "accepted, but a pair of instances is turned round";
    ++tally.accepted;
    ++tally.of_primitive[drawer.what.substr(0, drawer.what.find(' '))];
    for (std::size_t k = 0; k < next.placements.size(); ++k) {
      ASSERT_EQ(made.order.placements[k].statement, next.placements[k].statement);
      ASSERT_EQ(made.order.placements[k].path, next.placements[k].path);
    }
    history += drawer.what + "; ";
    state = std::move(made);
    tree = std::move(next);
  }
}

TEST(Proved, RandomPrimitivesAgreeWithEnumeration) {
  const unsigned seed = number("SOLWAY_SEED", 20240614U);
  std::cout << "SOLWAY_SEED=" << seed << "\n";
  Generator generator(seed);
  Tally tally;
  const unsigned walks = number("SOLWAY_WALKS", 150);
  for (unsigned k = 0; k < walks && !HasFailure(); ++k) {
    SCOPED_TRACE("walk " + std::to_string(k));
    walk(generator, tally);
  }
  std::cout << tally.accepted << " accepted, " << tally.wrong_refused << " wrong refused, "
            << tally.right_refused << " right refused, " << tally.not_applicable
            << " not applicable, " << tally.unsupported << " unsupported\n";
  for (const auto& [what, count] : tally.of_primitive) {
    std::cout << "  " << count << " " << what << "\n";
  }
  EXPECT_GE(tally.accepted, static_cast<int>(walks));
  EXPECT_GE(5 * tally.wrong_refused, static_cast<int>(walks));
  EXPECT_GE(tally.of_primitive.size(), 9U);
}

TEST(Proved, ALogWithTheStep) {
  const ScheduledMatmul m(2, 3, 4);
  const State s = proved(m.state, {"nothing", "C", {}, {}, samples::at(9)}, {"nothing()", {}});
  EXPECT_EQ(s.log.back().primitive, "nothing");
}

TEST(Proved, MarksHoldInTheNewOrder) {
  const State state = testing::make_state(jacobi_sample(4, 6));
  const LoopId step = state.stage_loops.at("S").at(0), point = state.stage_loops.at("S").at(1);
  State skewed = skew(state, "S", point, step, 1, samples::at(9));
  EXPECT_NO_THROW(reorder(skewed, "S", {point, step}, samples::at(10)));
  skewed = parallel(skewed, "S", point, samples::at(10));  // one step after the other
  const auto r = refusal<IllegalScheduleError>([&] {
    reorder(skewed, "S", {point, step}, samples::at(11));
  });
  EXPECT_NE(r.what.find(" at the same time"), std::string::npos) << r.what;
  EXPECT_EQ(r.where.line, 11);
}

}  // namespace
}  // namespace solway::schedule
