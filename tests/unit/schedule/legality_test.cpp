#include "schedule/legality.h"

#include <cstdlib>
#include <iostream>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/schedule/random_orders.h"

namespace solway::schedule {
namespace {

using ::testing::HasSubstr;
using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

using Violation = IllegalScheduleError::Violation;
using Pair = std::pair<std::size_t, std::size_t>;

/// The elements that an instance writes or reads.
std::vector<std::pair<std::string, Point>> elements_of(const PlainInstance& instance) {
  std::vector<std::pair<std::string, Point>> out = {
      instance.statement->write.at(instance.iteration)};
  for (const PlainAccess& read : instance.statement->reads) {
    out.push_back(read.at(instance.iteration));
  }
  return out;
}

bool accesses(const PlainInstance& instance, const std::pair<std::string, Point>& element) {
  const PlainStatement& s = *instance.statement;
  return s.write.at(instance.iteration) == element ||
         std::any_of(s.reads.begin(), s.reads.end(), [&](const PlainAccess& read) {
           return read.at(instance.iteration) == element;
         });
}

/// The instances of one program and when they run in one order.
struct Case {
  PlainProgram program;
  PlainOrder order;
  std::vector<PlainInstance> instances;
  Walk reference;
  Walk walk;

  explicit Case(Generator& generator)
      : program(generator.program()), order(generator.order(program)) {
    instances = instances_of(program);
    reference = walk_of(program.reference);
    walk = walk_of(order);
  }

  Walk walk_of(const PlainOrder& plain) const {
    Order shape;
    shape.placements = plain.placements;
    return Walker(plain, instances).run(tree_of(shape));
  }

  /// Whether a and b conflict over an element that nothing writes between them which has to keep
  /// its order to both.
  bool is_direct(std::size_t a, std::size_t b) const {
    for (const auto& element : elements_of(instances[a])) {
      const auto writes = [&](std::size_t k) {
        return instances[k].statement->write.at(instances[k].iteration) == element;
      };
      if (!accesses(instances[b], element) || (!writes(a) && !writes(b))) continue;
      bool implied = false;
      for (std::size_t w = 0; w < instances.size() && !implied; ++w) {
        implied = reference.slot[a] < reference.slot[w] && reference.slot[w] < reference.slot[b] &&
                  writes(w) && !reorderable(instances[a], instances[w]) &&
                  !reorderable(instances[w], instances[b]);
      }
      if (!implied) return true;
    }
    return false;
  }

  /// The smallest of the direct pairs that `wrong` names; of all when none is direct.
  template <typename Wrong>
  std::optional<Pair> smallest(const Wrong& wrong) const {
    const auto direct =
        first_of([&](std::size_t a, std::size_t b) { return wrong(a, b) && is_direct(a, b); });
    return direct ? direct : first_of(wrong);
  }

  /// Of the pairs (a, b), a first in the reference order, that conflict and that `wrong` names:
  /// the one with the first a, then the first b.
  template <typename Wrong>
  std::optional<Pair> first_of(const Wrong& wrong) const {
    std::optional<Pair> best;
    const auto slots = [&](const Pair& p) {
      return std::pair(reference.slot[p.first], reference.slot[p.second]);
    };
    for (std::size_t a = 0; a < instances.size(); ++a) {
      for (std::size_t b = 0; b < instances.size(); ++b) {
        if (reference.slot[a] >= reference.slot[b]) continue;
        if (!conflict(instances[a], instances[b]) || !wrong(a, b)) continue;
        if (!best || slots({a, b}) < slots(*best)) best = Pair(a, b);
      }
    }
    return best;
  }

  std::optional<Pair> broken_order() const {
    return smallest([&](std::size_t a, std::size_t b) {
      return !reorderable(instances[a], instances[b]) && walk.slot[a] >= walk.slot[b];
    });
  }

  /// Whether a and b lie in one vector over loop `id`, and all that they share is what a reads and
  /// b overwrites.
  bool is_read_first(std::size_t a, std::size_t b, LoopId id) const {
    if (!only_overwrites(instances[a], instances[b])) return false;
    const std::string& name = instances[a].statement->name;
    for (const Placement& placement : order.placements) {
      if (placement.statement != name) continue;
      for (const LoopId other : placement.path) {
        const Affine& value = order.loops[static_cast<std::size_t>(other)].value.at(name);
        if (other != id && value.at(instances[a].iteration) != value.at(instances[b].iteration)) {
          return false;
        }
      }
    }
    return true;
  }

  std::optional<Pair> race(LoopId id) const {
    const auto crossing = walk.crossing.find(id);
    if (crossing == walk.crossing.end()) return std::nullopt;
    const bool vectors = order.loops[static_cast<std::size_t>(id)].mark == LoopMark::Vectorized;
    return smallest([&](std::size_t a, std::size_t b) {
      return crossing->second.count({a, b}) != 0 &&
             !(vectors && (reorderable(instances[a], instances[b]) || is_read_first(a, b, id)));
    });
  }

  std::string name_of(std::size_t k) const {
    Instance out{instances[k].statement->name, {}};
    for (std::size_t d = 0; d < instances[k].iteration.size(); ++d) {
      out.iteration.emplace_back("d" + std::to_string(d), instances[k].iteration[d]);
    }
    return out.to_string();
  }

  std::string text() const {
    std::string out;
    for (const PlainStatement& s : program.statements) {
      out += s.name + ": writes " + access_text(s.write);
      for (const PlainAccess& r : s.reads) out += " reads " + access_text(r);
      for (const auto& [begin, end] : s.bounds) {
        out += " [" + std::to_string(begin) + ", " + std::to_string(end) + ")";
      }
      out += "\n";
    }
    for (const Placement& p : order.placements) {
      out += p.statement + " at";
      for (const LoopId id : p.path) {
        const PlainLoop& loop = order.loops[static_cast<std::size_t>(id)];
        out += " l" + std::to_string(id) + "=" + loop.value.at(p.statement).text() + ";";
      }
      out += "\n";
    }
    return out;
  }

 private:
  static std::string access_text(const PlainAccess& access) {
    std::string out = access.array + "[";
    for (const Affine& index : access.index) out += "(" + index.text() + ")";
    return out + "]";
  }
};

/// Compares the verdict of `require` with what enumeration found.
template <typename Require>
void expect_verdict(const Case& c, const std::optional<Pair>& expected, const Require& require) {
  try {
    require();
    EXPECT_FALSE(expected) << "accepted, but " << c.name_of(expected->first) << " conflicts with "
                           << c.name_of(expected->second);
  } catch (const IllegalScheduleError& e) {
    ASSERT_TRUE(expected) << "refused a legal order: " << e.what();
    const Violation& found = e.violation();
    EXPECT_EQ(found.source.to_string(), c.name_of(expected->first));
    EXPECT_EQ(found.sink.to_string(), c.name_of(expected->second));
    EXPECT_TRUE(accesses(c.instances[expected->first], {found.tensor, found.element}));
    EXPECT_TRUE(accesses(c.instances[expected->second], {found.tensor, found.element}));
    EXPECT_EQ(found.primitive, "reorder(i, j)");
    EXPECT_EQ(e.report().where.line, 9);
  }
}

unsigned seed() {
  const char* chosen = std::getenv("SOLWAY_SEED");
  return chosen == nullptr ? 20240611U : static_cast<unsigned>(std::strtoul(chosen, nullptr, 10));
}

/// How many cases a test draws: SOLWAY_CASES, or what fits into every run.
int num_cases() {
  const char* chosen = std::getenv("SOLWAY_CASES");
  return chosen == nullptr ? 1100 : std::atoi(chosen);
}

const Request kRequest{"reorder(i, j)", {"user.py", 9, ""}};

State state_of(const PlainProgram& program, const PlainOrder& order) {
  State out;
  out.program = out.original = std::make_shared<Program>(make_program(program));
  out.order = make_order(out.program->ctx(), program, order);
  return out;
}

TEST(RequireOrderLegal, AgreesWithEnumeration) {
  std::cout << "SOLWAY_SEED=" << seed() << "\n";
  Generator generator(seed());
  int legal = 0, illegal = 0;
  for (int k = 0; k < num_cases() && !::testing::Test::HasFailure(); ++k) {
    const Case c(generator);
    SCOPED_TRACE("case " + std::to_string(k) + "\n" + c.text());
    const State state = state_of(c.program, c.order);
    const std::optional<Pair> expected = c.broken_order();
    ++(expected ? illegal : legal);
    expect_verdict(c, expected, [&] { require_order_legal(state, kRequest); });
    EXPECT_EQ(judge_order(state, kRequest),
              expected ? OrderVerdict::BreaksDependence : OrderVerdict::Legal);
  }
  std::cout << legal << " legal, " << illegal << " illegal\n";
  EXPECT_GE(legal, 200);
  EXPECT_GE(illegal, 200);
}

TEST(RequireNoRace, AgreesWithEnumeration) {
  std::cout << "SOLWAY_SEED=" << seed() << "\n";
  Generator generator(seed() + 1);
  int free = 0, racing = 0;
  for (int k = 0; k < num_cases() && !::testing::Test::HasFailure(); ++k) {
    Case c(generator);
    if (c.order.loops.empty()) continue;
    const LoopId id = generator.pick(0, std::min(2, static_cast<int>(c.order.loops.size())));
    PlainLoop& loop = c.order.loops[static_cast<std::size_t>(id)];
    loop.mark = generator.chance(50) ? LoopMark::Parallel : LoopMark::Vectorized;
    SCOPED_TRACE("case " + std::to_string(k) + ", loop " + std::to_string(id) + "\n" + c.text());
    const State state = state_of(c.program, c.order);
    const std::optional<Pair> expected = c.race(id);
    ++(expected ? racing : free);
    expect_verdict(c, expected, [&] { require_no_race(state, id, kRequest); });
    expect_verdict(c, expected, [&] { require_marks_legal(state, kRequest); });
  }
  std::cout << free << " without a race, " << racing << " with one\n";
  EXPECT_GE(free, 200);
  EXPECT_GE(racing, 200);
}

/// Of loops in others that run on cores, one proof may do for several.
TEST(AreMarksLegal, AgreesWithEnumerationOfSeveralLoops) {
  std::cout << "SOLWAY_SEED=" << seed() << "\n";
  Generator generator(seed() + 2);
  int free = 0, racing = 0, nested = 0;
  for (int k = 0; k < num_cases() && !::testing::Test::HasFailure(); ++k) {
    Case c(generator);
    std::optional<Pair> expected;
    int marked = 0;
    for (std::size_t id = 0; id < c.order.loops.size(); ++id) {
      if (!generator.chance(60)) continue;
      c.order.loops[id].mark = LoopMark::Parallel;
      ++marked;
      if (!expected) expected = c.race(static_cast<LoopId>(id));
    }
    if (marked == 0) continue;
    nested += marked > 1 ? 1 : 0;
    ++(expected ? racing : free);
    SCOPED_TRACE("case " + std::to_string(k) + "\n" + c.text());
    EXPECT_EQ(are_marks_legal(state_of(c.program, c.order), kRequest), !expected);
  }
  std::cout << free << " without a race, " << racing << " with one, " << nested << " nested\n";
  EXPECT_GE(free, 100);
  EXPECT_GE(racing, 100);
  EXPECT_GE(nested, 100);
}

/// I[i]; U[i, k] accumulates into C[i], grouped; both under one loop i.
PlainProgram row_sums(bool grouped) {
  const auto axis = [](std::size_t dims, std::size_t k) { return Generator::axis(dims, k); };
  PlainProgram out;
  out.statements.push_back({"I", StatementKind::Init, {{0, 3}}, {"C", {axis(1, 0)}}, {}, grouped});
  out.statements.push_back(
      {"U", StatementKind::Update, {{0, 3}, {0, 2}}, {"C", {axis(2, 0)}}, {}, grouped});
  out.statements.back().reads = {out.statements.back().write};
  out.reference.loops.resize(2);
  out.reference.loops[0].value = {{"I", axis(1, 0)}, {"U", axis(2, 0)}};
  out.reference.loops[1].value = {{"U", axis(2, 1)}};
  out.reference.placements = {{"I", {0}}, {"U", {0, 1}}};
  return out;
}

std::string refusal(const State& state, LoopId id) {
  try {
    require_no_race(state, id, kRequest);
  } catch (const IllegalScheduleError& e) {
    EXPECT_EQ(e.report().where.line, 9);
    return e.report().why;
  }
  return "";
}

TEST(RequireOrderLegal, UpdatesOfADeclaredReductionMayTurnAround) {
  for (const bool grouped : {true, false}) {
    const PlainProgram plain = row_sums(grouped);
    PlainOrder turned = plain.reference;
    turned.loops[1].value["U"].coefficients[1] = -1;
    const State state = state_of(plain, turned);
    if (grouped) {
      EXPECT_NO_THROW(require_order_legal(state, kRequest));
    } else {
      EXPECT_THROW(require_order_legal(state, kRequest), IllegalScheduleError);
    }
  }
}

TEST(RequireNoRace, ReductionsMayVectorizeButNotRunOnSeveralCores) {
  PlainProgram plain = row_sums(true);
  plain.reference.loops[1].mark = LoopMark::Vectorized;
  EXPECT_EQ(refusal(state_of(plain, plain.reference), 1), "");
  plain.reference.loops[1].mark = LoopMark::Parallel;
  EXPECT_THAT(refusal(state_of(plain, plain.reference), 1), HasSubstr("U[d0=0, d1=1] writes C[0]"));
  plain.reference.loops[0].mark = LoopMark::Parallel;
  EXPECT_EQ(refusal(state_of(plain, plain.reference), 0), "");
}

TEST(RequireMarksLegal, ChecksOnlyMarkedLoops) {
  PlainProgram plain = row_sums(false);
  plain.reference.loops[1].mark = LoopMark::Unrolled;
  EXPECT_NO_THROW(require_marks_legal(state_of(plain, plain.reference), kRequest));
  plain.reference.loops[1].mark = LoopMark::Vectorized;
  EXPECT_THROW(require_marks_legal(state_of(plain, plain.reference), kRequest),
               IllegalScheduleError);
}

}  // namespace
}  // namespace solway::schedule
