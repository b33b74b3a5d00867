#include "schedule/other_iterations.h"

#include <gtest/gtest.h>

#include "schedule/dependences.h"
#include "support/isl_ext.h"

#include "tests/support/sample_programs.h"

namespace solway::schedule {
namespace {

using samples::at;

TEST(OtherIterations, DifferInTheLoopAndAgreeAround) {
  const samples::Matmul m(2, 3, 1);
  const State state = make_state({m.c}, at(5));
  const std::vector<LoopId> loops = state.stage_loops.at("C");
  const auto of_updates = [&](LoopId id) {
    const isl::union_set instances = state.program->reference.domain();
    const isl::union_map all =
        in_other_iterations(isl_ext::all_pairs(instances, instances), state, id);
    int pairs = 0;
    all.foreach_map([&](const isl::map& each) {
      if (!each.get_space().is_equal(each.reverse().get_space())) return;
      each.wrap().foreach_point([&](const isl::point&) { ++pairs; });
    });
    return pairs;
  };
  // Two statements, an init and an update: 2 * 1 pairs of rows of 3 * 3 elements; in 2 rows 3 * 2
  // pairs of columns.
  EXPECT_EQ(of_updates(loops[0]), 2 * (2 * 1 * 3 * 3));
  EXPECT_EQ(of_updates(loops[1]), 2 * (2 * 3 * 2));
}

TEST(OtherIterations, ConflictInARecurrenceAlone) {
  const samples::Matmul m(2, 3, 4);
  const State state = make_state({m.c}, at(5));
  const auto conflicts = [&](std::size_t k) {
    const LoopId id = state.stage_loops.at("C")[k];
    return !in_other_iterations(conflicts_of(*state.program), state, id).is_empty();
  };
  EXPECT_FALSE(conflicts(0));
  EXPECT_FALSE(conflicts(1));
  EXPECT_TRUE(conflicts(2));
}

}  // namespace
}  // namespace solway::schedule
