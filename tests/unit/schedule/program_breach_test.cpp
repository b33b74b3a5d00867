#include "schedule/program_breach.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/random_schedules.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

/// A breach with the program that its sets and maps live in, which goes last.
struct Found {
  State made;
  std::optional<Breach> breach;
};

Found breach_of(const PlainSample& sample, const BufferPlan& plan) {
  State made = *HandMade(testing::make_state(sample), plan).make();
  auto breach = find_breach(elementwise(*made.original, made.original->reference),
                            elementwise(*made.program, made.program->reference),
                            extents_of(*made.program), {"buffer_read(T)", {"user.py", 9, ""}});
  return {std::move(made), std::move(breach)};
}

TEST(ProgramBreach, NoneOfARightProgram) {
  EXPECT_FALSE(breach_of(pipeline_sample(4), {"P", {"C"}, 1}).breach);
  EXPECT_FALSE(breach_of(matmul_sample(2, 2, 3, true, 1), {"C", {"U"}, 3, true, true}).breach);
}

TEST(ProgramBreach, NamesTheClauseAndAllThatBreaksIt) {
  const auto kind = [](const PlainSample& sample, const BufferPlan& plan) {
    const Found found = breach_of(sample, plan);
    const auto& breach = found.breach;
    EXPECT_TRUE(breach && !breach->sinks.is_empty());
    return breach->kind;
  };
  const PlainSample pipeline = pipeline_sample(4);
  const PlainSample matmul = matmul_sample(2, 2, 3, true, 1);
  EXPECT_EQ(kind(pipeline, {"P", {"C"}, 0, true, false, Fault::Small}), BreachKind::OutOfBounds);
  EXPECT_EQ(kind(pipeline, {"P", {"C"}, 1, true, false, Fault::DroppedWait}),
            BreachKind::NeverAwaited);
  EXPECT_EQ(kind(pipeline, {"P", {"C"}, 1, true, false, Fault::DroppedIssue}),
            BreachKind::Overwritten);
  EXPECT_EQ(kind(pipeline, {"P", {"C"}, 0, true, false, Fault::Short}), BreachKind::WrongValue);
  EXPECT_EQ(kind(matmul, {"C", {"U"}, 3, false, true}), BreachKind::LostPartial);
}

TEST(ProgramBreach, SinksOfAWrongValueAreTheReadersOfIt) {
  const Found found = breach_of(pipeline_sample(4), {"P", {"C"}, 0, true, false, Fault::Short});
  const auto& breach = found.breach;
  ASSERT_TRUE(breach);
  EXPECT_EQ(breach->operand, 2U);
  EXPECT_TRUE(breach->sinks.is_equal(isl::union_set(breach->sinks.ctx(), "{ C[3] }")));
  EXPECT_TRUE(breach->expected.intersect_domain(breach->sinks)
                  .is_equal(isl::union_map(breach->sinks.ctx(), "{ C[3] -> P[5] }")));
}

TEST(ProgramBreach, OneCopyNeverWritesACellTwice) {
  const IslContext isl;
  const auto map = [&](const char* text) { return isl::union_map(isl.get(), text); };
  const isl::union_set transfers(isl.get(), "{ [W[] -> T[e]] : 0 <= e < 2 }");
  const isl::union_set none(isl.get(), "{ }");
  ElementProgram program;
  program.writes = map("{ [W[] -> T[e]] -> B[0] : 0 <= e < 2 }");
  program.reads = {map("{ [W[] -> T[e]] -> T[e] : 0 <= e < 2 }")};
  program.time = map("{ [W[] -> T[e]] -> [1] }").intersect_domain(transfers);
  program.landings = program.groups = program.partners = program.passed = map("{ }");
  program.inits = program.updates = program.merges = program.completes = program.inlined =
      program.copies = none;
  program.issues = transfers;
  const isl::union_set extents(isl.get(), "{ T[e] : 0 <= e < 2; B[0] }");
  const auto breach = find_breach(program, program, extents, {"", {}});
  ASSERT_TRUE(breach);
  EXPECT_EQ(breach->kind, BreachKind::SharedCell);
  EXPECT_TRUE(breach->sinks.is_equal(transfers));
}

TEST(ProgramBreach, OneSlotServesOneTransferAtATime) {
  const IslContext isl;
  const auto map = [&](const std::string& text) { return isl::union_map(isl.get(), text); };
  const auto set = [&](const char* text) { return isl::union_set(isl.get(), text); };
  // Two transfers into different cells; the second is issued before the first is waited for.
  const auto program = [&](const std::string& slot) {
    const std::string i = " : 0 <= i < 2";
    ElementProgram out;
    out.writes = map("{ [I[i] -> T[i]] -> B[i]" + i + "; [W[i] -> T[i]] -> B[i]" + i + " }");
    out.reads = {map("{ [I[i] -> T[i]] -> T[i]" + i + "; [W[i] -> T[i]] -> T[i]" + i + " }")};
    out.landings = map("{ [W[i] -> T[i]] -> B[i]" + i + " }");
    out.time = map("{ [I[i] -> T[i]] -> [i]" + i + "; [W[i] -> T[i]] -> [2 + i]" + i + " }");
    out.partners = map("{ [W[i] -> T[i]] -> [I[i] -> T[i]]" + i + " }");
    out.issues = set("{ [I[i] -> T[i]] : 0 <= i < 2 }");
    out.completes = out.copies = set("{ [W[i] -> T[i]] : 0 <= i < 2 }");
    out.groups = map("{ }");
    out.inits = out.updates = out.merges = out.inlined = set("{ }");
    out.replies = {
        map("{ I[i] -> reply[" + slot + "]" + i + "; W[i] -> reply[" + slot + "]" + i + " }"),
        map("{ I[i] -> [i]" + i + "; W[i] -> [2 + i]" + i + " }"),
        map("{ W[i] -> I[i]" + i + " }")};
    return out;
  };
  const isl::union_set extents = set("{ T[e] : 0 <= e < 2; B[e] : 0 <= e < 2 }");
  EXPECT_FALSE(find_breach(program("i"), program("i"), extents, {"", {}}));
  const auto breach = find_breach(program("0"), program("0"), extents, {"", {}});
  ASSERT_TRUE(breach);
  EXPECT_EQ(breach->kind, BreachKind::SlotBusy);
  // W[0] finds that I[1] asked last, W[1] that W[0] counted.
  EXPECT_TRUE(breach->sinks.is_equal(set("{ W[i] : 0 <= i < 2 }")));
  EXPECT_TRUE(breach->found.is_equal(map("{ W[0] -> I[1]; W[1] -> W[0] }")));
}

/// Reductions of A at the grain of elements, one update per text of "[tuple] -> ...".
class Sums {
 public:
  isl::union_map map(const std::string& text) const {
    return isl::union_map(isl_.get(), "{ " + text + " }");
  }
  isl::union_set set(const std::string& text) const {
    return isl::union_set(isl_.get(), "{ " + text + " }");
  }

  /// A program without transfers; `accumulates` and `reads` are { S[i] -> element }.
  ElementProgram program(const std::string& writes, const std::string& accumulates,
                         const std::string& reads, const std::string& time) const {
    ElementProgram out;
    out.writes = map(writes);
    out.reads = {map(accumulates), map(reads)};
    out.time = map(time);
    out.landings = out.partners = out.users = out.passed = map("");
    out.replies = {map(""), map(""), map("")};
    out.issues = out.completes = out.copies = out.inlined = out.merges = set("");
    return out;
  }

  std::optional<Breach> breach(const ElementProgram& before, const ElementProgram& after) const {
    const isl::union_set all = set("A[i, k]; B[k]; C[i]; P[p]");
    return find_breach(before, after, all, {"rfactor(C, k)", {"user.py", 9, ""}});
  }

 private:
  IslContext isl_;
};

TEST(ProgramBreach, EachPartialResultIsMergedOnce) {
  const Sums sums;
  ElementProgram before = sums.program(
      "I[] -> C[0]; U[k] -> C[0] : 0 <= k < 4", "U[k] -> C[0] : 0 <= k < 4; E[] -> C[0]",
      "U[k] -> B[k] : 0 <= k < 4", "I[] -> [0, 0]; U[k] -> [1, k] : 0 <= k < 4; E[] -> [2, 0]");
  before.inits = sums.set("I[]");
  before.updates = sums.set("U[k] : 0 <= k < 4");
  before.accumulating = {before.updates};
  before.groups = sums.map("I[] -> G[]; U[k] -> G[] : 0 <= k < 4");
  // C = P[0] + P[1] + ..., where P[p] adds two terms; the last merges read P[1].
  const auto merged = [&](int merges) {
    const std::string m = " : 0 <= m < " + std::to_string(merges);
    const std::string k = " : 0 <= k < 4", p = " : 0 <= p < 2";
    ElementProgram after = sums.program(
        "Z[p] -> P[p]" + p + "; T[k] -> P[floor(k/2)]" + k + "; I[] -> C[0]; M[m] -> C[0]" + m,
        "T[k] -> P[floor(k/2)]" + k + "; M[m] -> C[0]" + m + "; E[] -> C[0]",
        "T[k] -> B[k]" + k + "; M[0] -> P[0]; M[m] -> P[1]" + m + " and m >= 1",
        "Z[p] -> [0, p]" + p + "; T[k] -> [1, k]" + k + "; I[] -> [2, 0]; M[m] -> [3, m]" + m +
            "; E[] -> [4, 0]");
    after.inits = sums.set("I[]; Z[p]" + p);
    after.merges = sums.set("M[m]" + m);
    after.updates = sums.set("T[k]" + k).unite(after.merges);
    after.accumulating = {after.updates};
    after.groups = sums.map("Z[p] -> H[p]" + p + "; T[k] -> H[floor(k/2)]" + k +
                            "; I[] -> G[]; M[m] -> G[]" + m);
    after.origin = sums.map("T[k] -> U[k]" + k + "; I[] -> I[]; E[] -> E[]");
    return after;
  };
  EXPECT_FALSE(sums.breach(before, merged(2)));
  const auto twice = sums.breach(before, merged(3));
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->kind, BreachKind::SharedMerge);
  const auto never = sums.breach(before, merged(1));
  ASSERT_TRUE(never);
  EXPECT_EQ(never->kind, BreachKind::WrongTerms);
}

TEST(ProgramBreach, NoResultAddsTermsOfAnother) {
  const Sums sums;
  const std::string box = " : 0 <= i < 2 and 0 <= k < 2", row = " : 0 <= i < 2";
  const std::string writes = "I[i] -> C[i]" + row + "; U[i, k] -> C[i]" + box;
  const std::string sum = "U[i, k] -> C[i]" + box + "; E[i] -> C[i]" + row;
  const std::string terms = "U[i, k] -> A[i, k]" + box;
  const std::string time =
      "I[i] -> [0, i, 0]" + row + "; U[i, k] -> [1, i, k]" + box + "; E[i] -> [3, i, 0]" + row;
  ElementProgram before = sums.program(writes, sum, terms, time);
  before.inits = sums.set("I[i]" + row);
  before.updates = sums.set("U[i, k]" + box);
  before.accumulating = {before.updates};
  before.groups = sums.map("I[i] -> G[i]" + row + "; U[i, k] -> G[i]" + box);
  ElementProgram same = before;
  same.origin =
      sums.map("I[i] -> I[i]" + row + "; U[i, k] -> U[i, k]" + box + "; E[i] -> E[i]" + row);
  EXPECT_FALSE(sums.breach(before, same));
  // C[0] gets the term of A[1, 0] as well.
  ElementProgram more = sums.program(writes + "; X[] -> C[0]", sum + "; X[] -> C[0]",
                                     terms + "; X[] -> A[1, 0]", time + "; X[] -> [2, 0, 0]");
  more.inits = before.inits;
  more.updates = before.updates.unite(sums.set("X[]"));
  more.accumulating = {more.updates};
  more.groups = before.groups.unite(sums.map("X[] -> G[0]"));
  more.origin = same.origin->unite(sums.map("X[] -> U[1, 0]"));
  const auto breach = sums.breach(before, more);
  ASSERT_TRUE(breach);
  EXPECT_EQ(breach->kind, BreachKind::WrongTerms);
}

}  // namespace
}  // namespace solway::schedule
