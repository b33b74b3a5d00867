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
  isl::union_set extents = isl::union_set::empty(made.program->ctx());
  for (const auto& [name, array] : made.program->arrays) {
    extents = extents.unite(array.extent.to_union_set());
  }
  auto breach = find_breach(elementwise(*made.original, made.original->reference),
                            elementwise(*made.program, made.program->reference), extents,
                            {"buffer_read(T)", {"user.py", 9, ""}});
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
  program.landings = program.groups = program.partners = map("{ }");
  program.inits = program.updates = program.merges = program.completes = program.inlined =
      program.copies = none;
  program.issues = transfers;
  const isl::union_set extents(isl.get(), "{ T[e] : 0 <= e < 2; B[0] }");
  const auto breach = find_breach(program, program, extents, {"", {}});
  ASSERT_TRUE(breach);
  EXPECT_EQ(breach->kind, BreachKind::SharedCell);
  EXPECT_TRUE(breach->sinks.is_equal(transfers));
}

}  // namespace
}  // namespace solway::schedule
