#include "lowering/widened_domains.h"

#include <gtest/gtest.h>

#include "schedule/fuse.h"
#include "support/isl_ext.h"

#include "tests/support/sample_programs.h"

namespace solway::lowering {
namespace {

/// The update of a matmul of 4 x 5 x 2 in some of its instances.
schedule::State restricted(const std::string& text) {
  const samples::Matmul m(4, 5, 2);
  schedule::State state = schedule::make_state({m.c}, samples::at(5));
  auto program = std::make_shared<schedule::Program>(*state.program);
  schedule::Statement& s = program->statements.at("C");
  s.domain = s.domain.intersect(isl::set(program->ctx(), text));
  state.program = program;
  return state;
}

TEST(WidenedDomains, FillsTheHolesOfAUnion) {
  const schedule::State state = restricted("{ C[x, y, k] : y < x or x > 2 }");
  const std::vector<isl::set> wide = widened_domains(state, "C");
  ASSERT_EQ(wide.size(), 2U);
  EXPECT_TRUE(state.program->statement("C").domain.is_subset(wide[0]));
  EXPECT_TRUE(wide[0].is_subset(wide[1]));
  EXPECT_EQ(wide[0].n_basic_set(), 1U);
}

TEST(WidenedDomains, KeepsWhatHasNoHoles) {
  const schedule::State state = restricted("{ C[x, y, k] : y <= x }");
  EXPECT_TRUE(widened_domains(state, "C").at(0).is_equal(state.program->statement("C").domain));
}

TEST(WidenedDomains, LoopsTellTheInstancesApart) {
  const schedule::State state = restricted("{ C[x, y, k] : y < x or x > 2 }");
  const std::vector<schedule::LoopId> loops = state.stage_loops.at("C");
  const schedule::State fused =
      schedule::fuse(state, "C", {loops[0], loops[1]}, samples::at(6)).state;
  const std::vector<isl::set> wide = widened_domains(fused, "C");
  ASSERT_FALSE(wide.empty());
  EXPECT_TRUE(wide[0].is_subset(isl::set(state.program->ctx(), "{ C[x, y, k] : 0 <= y < 5 }")));
}

}  // namespace
}  // namespace solway::lowering
