#include "schedule/flow.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/random_schedules.h"
#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

void expect_equal(const isl::union_map& actual, const std::string& text) {
  EXPECT_TRUE(actual.is_equal(isl::union_map(actual.ctx(), text))) << isl_ext::to_string(actual);
}

ElementProgram elements_of(const State& state) {
  return elementwise(*state.program, state.program->reference);
}

TEST(Flow, VirtualStatementsStandForTheCaller) {
  EXPECT_EQ(array_before_program("before A"), "A");
  EXPECT_EQ(array_after_program("after A"), "A");
  EXPECT_EQ(array_before_program("after A"), std::nullopt);
  EXPECT_EQ(array_after_program("A"), std::nullopt);
  const State state = testing::make_state(prefix_sum_sample(3));
  const auto sources = sources_of(elements_of(state));
  ASSERT_TRUE(sources);
  // Operand 0, and what the caller sees: the sums, the first element, the input.
  const isl::union_map seen =
      sources->direct[0].intersect_range(isl::union_set(state.program->ctx(), "{ S[i] }"));
  isl::union_map after = isl::union_map::empty(state.program->ctx());
  for (const isl::map& map : isl_ext::sorted_maps(seen)) {
    const std::string reader = isl_ext::tuple_name(map, isl_ext::Dim::Domain);
    if (array_after_program(reader)) after = after.unite(map.set_domain_tuple("R").to_union_map());
  }
  expect_equal(after, "{ R[i] -> S[i] : 1 <= i < 3 }");
  bool sees_input = false;
  for (const isl::map& map : isl_ext::sorted_maps(sources->direct[0])) {
    const auto reader = isl_ext::tuple_name(map, isl_ext::Dim::Domain);
    sees_input = sees_input || array_after_program(reader) == "A";
  }
  EXPECT_TRUE(sees_input);
  expect_equal(
      sources->direct[0].intersect_domain(isl::union_set(state.program->ctx(), "{ S[i] : i > 1 }")),
      "{ S[2] -> S[1] }");
}

TEST(Flow, CopiesAreFollowedPerElement) {
  const State made = *HandMade(testing::make_state(pipeline_sample(2)), {"P", {"C"}, 0}).make();
  const ElementProgram elements = elements_of(made);
  const auto sources = sources_of(elements);
  ASSERT_TRUE(sources);
  for (std::size_t k = 0; k < 3; ++k) {
    const isl::union_map of_c =
        sources->computed[k].intersect_domain(isl::union_set(made.program->ctx(), "{ C[i] }"));
    expect_equal(of_c, "{ C[i] -> P[i + " + std::to_string(k) + "] : 0 <= i < 2 }");
  }
  expect_equal(sources->direct[1].intersect_domain(isl::union_set(made.program->ctx(), "{ C[0] }")),
               "{ C[0] -> [PP_get_complete[] -> P[1]] }");
  expect_equal(elements.partners,
               "{ [PP_get_complete[] -> P[e]] -> [PP_get_issue[] -> P[e]] : 0 <= e < 4 }");
  expect_equal(last_writers(elements, elements.landings),
               "{ [PP_get_complete[] -> P[e]] -> [PP_get_issue[] -> P[e]] : 0 <= e < 4 }");
}

TEST(Flow, OfEachArrayByItselfIsThatOfAllTogether) {
  const std::vector<State> states{
      testing::make_state(pipeline_sample(3)), testing::make_state(prefix_sum_sample(4)),
      testing::make_state(matmul_sample(2, 2, 3, true, 0)),
      *HandMade(testing::make_state(pipeline_sample(2)), {"P", {"C"}, 0}).make()};
  for (const State& state : states) {
    const ElementProgram elements = elements_of(state);
    for (const isl::union_map& reads : elements.reads) {
      const isl::union_map together =
          isl_ext::last_writers(reads, elements.writes, elements.time).must.reverse();
      EXPECT_FALSE(together.is_empty());
      EXPECT_TRUE(last_writers(elements, reads).is_equal(together));
    }
  }
}

TEST(Flow, ByLoopsIsThatOfInstancesAsWritten) {
  const TiledMatmul whole(2, 8, 6, 4, 3);
  const TiledMatmul cut(2, 7, 5, 4, 2);
  for (const State& state : {whole.state, cut.state}) {
    const Program& program = *state.program;
    const ElementProgram elements =
        elementwise(program, time_of(program.ctx(), state.order, program.domains()));
    EXPECT_FALSE(elements.instances->time().is_equal(elements.time));
    for (const isl::union_map& reads : elements.reads) {
      const isl::union_map direct =
          isl_ext::last_writers(reads, elements.writes, elements.time).must.reverse();
      EXPECT_TRUE(last_writers(elements, reads).is_equal(direct));
    }
  }
}

TEST(Flow, AReductionStandsForItsGroup) {
  const State state = testing::make_state(matmul_sample(1, 2, 3, true, 0));
  const ElementProgram elements = elements_of(state);
  const auto sources = sources_of(elements);
  ASSERT_TRUE(sources);
  const isl::union_map of_e =
      by_group(sources->computed[0], elements)
          .intersect_domain(isl::union_set(state.program->ctx(), "{ E[i, j] }"));
  for (const isl::map& map : isl_ext::sorted_maps(of_e)) {
    EXPECT_EQ(isl_ext::tuple_name(map, isl_ext::Dim::Range), "group G_C");
  }
  expect_equal(
      sources->computed[0].intersect_domain(isl::union_set(state.program->ctx(), "{ E[i, j] }")),
      "{ E[0, j] -> U[0, j, 2] : 0 <= j < 2 }");
}

}  // namespace
}  // namespace solway::schedule
