#include "schedule/known_dependences.h"

#include <gtest/gtest.h>

#include "schedule/same_state.h"

#include "tests/unit/schedule/three_stages.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

void expect_right(KnownDependences& known, const Program& program) {
  for (const Storage storage : {Storage::Main, Storage::Buffers, Storage::All}) {
    EXPECT_TRUE(known.of(program, storage).is_equal(dependences_of(program, storage)));
  }
}

TEST(KnownDependences, AreThoseOfTheProgram) {
  const ThreeStages t(4, 6);
  const LoopId i = t.state.stage_loops.at("P")[0];
  KnownDependences known;
  expect_right(known, *t.state.program);
  const State buffered =
      buffer_write(t.state, {"P", "P", {}, i, "", {}, "buffer_write"}, samples::at(9)).state;
  expect_right(known, *buffered.program);
  EXPECT_FALSE(dependences_of(*buffered.program, Storage::Buffers).is_empty());
  expect_right(known, *t.state.program);
}

TEST(KnownDependences, AreFoundOnceWhileNothingElseIsAccessed) {
  const ThreeStages t(4, 6);
  const LoopId i = t.state.stage_loops.at("P")[0];
  const LoopId j = t.state.stage_loops.at("P")[1];
  KnownDependences known;
  const isl::union_map first = known.of(*t.state.program, Storage::Main);
  const State other = reorder(t.state, "P", {j, i}, samples::at(9));
  EXPECT_EQ(known.of(*other.program, Storage::Main).get(), first.get());
  const Program copy = *t.state.program;
  EXPECT_EQ(known.of(copy, Storage::Main).get(), first.get());
  Program fewer = *t.state.program;
  fewer.statements.erase("R");
  EXPECT_NE(known.of(fewer, Storage::Main).get(), first.get());
}

TEST(KnownDependences, HangOnTheOrderAsWritten) {
  const ThreeStages t(4, 6);
  KnownDependences known;
  expect_right(known, *t.state.program);
  Program backwards = *t.state.program;
  isl::union_map reference = isl::union_map::empty(backwards.ctx());
  backwards.reference.foreach_map([&](const isl::map& one) {
    const isl::multi_pw_aff time = one.as_pw_multi_aff().to_multi_pw_aff();
    reference = reference.unite(time.neg().as_map().to_union_map());
  });
  backwards.reference = reference;
  EXPECT_FALSE(have_same_accesses(*t.state.program, backwards));
  expect_right(known, backwards);
}

}  // namespace
}  // namespace solway::schedule
