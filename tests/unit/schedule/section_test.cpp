#include "schedule/section.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/compute_at.h"
#include "schedule/fuse_with.h"

#include "tests/unit/schedule/three_stages.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs
using ::testing::ElementsAre;

std::vector<std::string> statements_of_sections(const State& state) {
  std::vector<std::string> out;
  for (const State& section : sections_of(state)) {
    std::string names;
    for (const auto& [name, s] : section.program->statements) {
      names += (names.empty() ? "" : " ") + name;
    }
    out.push_back(names);
  }
  return out;
}

TEST(SectionsOf, EachStageIsOne) {
  const ThreeStages t(4, 6);
  EXPECT_THAT(statements_of_sections(t.state), ElementsAre("P", "Q Q_init", "R"));
  const std::vector<State> sections = sections_of(t.state);
  EXPECT_EQ(sections[1].program->arrays.count("A"), 0U);
  EXPECT_THAT(*sections[0].program->seen, ElementsAre("P"));
  EXPECT_THAT(*sections[1].program->seen, ElementsAre("Q"));
  EXPECT_THAT(*sections[2].program->seen, ElementsAre("R"));
}

TEST(SectionsOf, TransfersBelongToTheirUsers) {
  const ThreeStages t(4, 6);
  const LoopId i = t.state.stage_loops.at("Q")[0];
  const State buffered =
      buffer_read(t.state, {"Q", "P", {}, i, "", {}, "buffer_read"}, samples::at(9)).state;
  EXPECT_THAT(statements_of_sections(buffered),
              ElementsAre("P", "PP_get_complete PP_get_issue Q Q_init", "R"));
}

TEST(SectionsOf, AStageInTheLoopsOfAnotherIsNotApart) {
  const ThreeStages t(4, 6);
  const LoopId i = t.state.stage_loops.at("R")[0];
  const State placed = compute_at(t.state, "Q", "R", i, samples::at(9));
  EXPECT_EQ(sections_of(placed).size(), 2U);
  const State fused = fuse_with(t.state, "Q", "R", i, samples::at(9));
  EXPECT_THAT(statements_of_sections(fused), ElementsAre("P", "Q Q_init R"));
}

/// P[i] = A[i - 1] with a border of zeros; Q[i] = B[i] + 1; C[i] = P[i] * (`other`)[i].
struct Crossed {
  State state;

  explicit Crossed(bool reads_q) {
    using samples::at;
    using samples::value_of;
    samples::Padded padded(8);
    const dsl::Tensor b = dsl::make_placeholder({8}, DType::Float32, "B", at(1));
    const dsl::Tensor q = samples::plus_one(reads_q ? b : padded.a, "Q", 2);
    const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, at(3));
    const dsl::Tensor c = dsl::make_compute(
        {8}, {i},
        dsl::make_binary(BinaryOp::Mul, dsl::make_read(padded.p, {value_of(i)}, at(3)),
                         dsl::make_read(q, {value_of(i)}, at(3)), at(3)),
        "C", at(3));
    const State plain = make_state({c}, at(4));
    const SplitResult cut = split(plain, "C", plain.stage_loops.at("C")[0], 4, at(5));
    BufferRequest request{"C", "P", {}, cut.outer, "", {}, "buffer_read(P)"};
    request.padding = Padding::Filled;
    state = buffer_read(cut.state, request, at(6)).state;
  }
};

TEST(SectionsOf, AStageThatRunsLaterIsApartFromThoseThatItHasNothingToDoWith) {
  const Crossed t(true);
  EXPECT_EQ(t.state.original->stages[0]->name, "P");  // as written, before Q
  EXPECT_THAT(statements_of_sections(t.state),
              ElementsAre("Q", "C P PP_get_complete PP_get_issue"));
  const Crossed same_input(false);  // reading the same is no conflict
  EXPECT_EQ(sections_of(same_input.state).size(), 2U);
}

TEST(SectionsOf, StagesInAnotherOrderThatDependOnEachOtherAreOne) {
  const ThreeStages t(4, 6);
  State swapped = t.state;
  auto& places = swapped.order.placements;
  std::rotate(places.begin(), places.begin() + 1, places.end() - 1);  // P after Q, which reads it
  EXPECT_THAT(statements_of_sections(swapped), ElementsAre("P Q Q_init", "R"));
}

}  // namespace
}  // namespace solway::schedule
