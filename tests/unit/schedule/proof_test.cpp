#include "schedule/proof.h"

#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

#include "schedule/compute_at.h"
#include "schedule/legality.h"
#include "schedule/same_state.h"
#include "schedule/section.h"
#include "schedule/transform_layout.h"
#include "support/error.h"

#include "tests/unit/schedule/execution.h"
#include "tests/unit/schedule/scheduled.h"
#include "tests/unit/schedule/three_stages.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

const Request kRequest{"reorder(i, j)", {"user.py", 9, ""}};

bool is_whole_legal(const State& state) {
  try {
    require_program_legal(*state.original, *state.program, kRequest);
    require_order_legal(state, kRequest);
    require_marks_legal(state, kRequest);
    return true;
  } catch (const IllegalScheduleError&) {
    return false;
  }
}

TEST(Proof, WhatIsAsItWasStaysProved) {
  const ThreeStages t(4, 6);
  const LoopId i = t.state.stage_loops.at("P")[0];
  const State first = split(t.state, "P", i, 2, samples::at(9)).state;
  ASSERT_EQ(first.proved->sections.size(), 3U);
  const State second = split(first, "Q", first.stage_loops.at("Q")[0], 2, samples::at(10)).state;
  ASSERT_EQ(second.proved->sections.size(), 3U);
  EXPECT_TRUE(is_same_section(first.proved->sections[0], second.proved->sections[0]));
  EXPECT_FALSE(is_same_section(first.proved->sections[1], second.proved->sections[1]));
}

TEST(Proof, AMarkedSectionStaysProved) {
  const ThreeStages t(4, 6);
  const State first = split(t.state, "P", t.state.stage_loops.at("P")[0], 2, samples::at(9)).state;
  const State marked = parallel(first, "P", first.stage_loops.at("P")[0], samples::at(10));
  EXPECT_TRUE(is_same_section(marked.proved->sections[0], sections_of(marked)[0]));
}

/// Random schedules of three stages: what is proved by sections runs right, and what is wrong in
/// one section is refused with the reason of the whole.
TEST(Proof, BySectionsAgreesWithTheWholeAndWithExecution) {
  const char* const chosen = std::getenv("SOLWAY_SEED");
  const unsigned seed = chosen == nullptr ? 20240701U : std::strtoul(chosen, nullptr, 10);
  std::cout << "SOLWAY_SEED=" << seed << "\n";
  ScheduleGenerator generator(seed);
  int made = 0, illegal = 0, by_sections = 0;
  for (int k = 0; k < 12 && !HasFailure(); ++k) {
    const ThreeStages t(generator.pick(2, 4), generator.pick(2, 5));
    State state = t.state;
    const auto expected =
        *Execution(*state.program, state.order).run({}, Interleaving::InOrder, generator.random());
    std::string what;
    for (int step = 0; step < 6; ++step) {
      try {
        state = random_step(generator, state, what);
      } catch (const IllegalScheduleError&) {
        what += " (illegal)";
        ++illegal;
        continue;
      } catch (const ScheduleArgumentError&) {
        continue;
      }
      SCOPED_TRACE("case " + std::to_string(k) + ":" + what);
      ++made;
      by_sections += state.proved->sections.size() > 1 ? 1 : 0;
      EXPECT_TRUE(is_whole_legal(state));
      EXPECT_TRUE(runs_right(*state.program, state.order, expected, generator.random()));
    }
  }
  std::cout << made << " right, " << by_sections << " of them by sections; " << illegal
            << " illegal\n";
  EXPECT_GE(by_sections, 20);
  EXPECT_GE(illegal, 2);
}

/// The tensor with its two dimensions exchanged.
LayoutRequest turned(const dsl::Tensor& tensor) {
  const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, tensor->shape[0], samples::at(6));
  const auto j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, tensor->shape[1], samples::at(6));
  return {tensor, {i, j}, {samples::value_of(j), samples::value_of(i)}};
}

TEST(Proof, SectionsAreComparedInTheLayoutsThatTensorsHave) {
  const ThreeStages t(4, 6);
  State state = t.state;
  for (const dsl::Tensor& tensor : {t.a, t.p, t.r}) {
    state = transform_layout(state, turned(tensor), samples::at(7));
  }
  // The copy of A, P, Q, R, and the copy back.
  EXPECT_EQ(sections_of(state).size(), 5U);
  const State written =
      buffer_read(state, {"Q", "P", {}, state.stage_loops.at("Q")[0], "", {}, "buffer_read"},
                  samples::at(8))
          .state;
  ASSERT_EQ(written.proved->sections.size(), 5U);
  EXPECT_TRUE(is_whole_legal(written));
  // A copy to other places is none that sections are compared with.
  State wrong = written;
  auto program = std::make_shared<Program>(*written.program);
  Statement& copy = program->statements.at("A_layout");
  const isl::multi_pw_aff place(program->ctx(), "{ A_layout[i, j] -> A_layout[(5 - j), (i)] }");
  copy.writes[0].index = place;
  copy.writes[0].relation = place.as_map().intersect_domain(copy.domain);
  wrong.program = program;
  EXPECT_FALSE(try_adopt_program(wrong, kRequest));
  EXPECT_FALSE(is_whole_legal(wrong));
}

TEST(Proof, SeveralLayoutsAtOnceAreThoseOneAfterTheOther) {
  const ThreeStages t(4, 6);
  State each = t.state;
  std::vector<LayoutRequest> requests;
  for (const dsl::Tensor& tensor : {t.a, t.p, t.r}) {
    requests.push_back(turned(tensor));
    each = transform_layout(each, requests.back(), samples::at(7));
  }
  const State all = transform_layouts(t.state, requests, samples::at(7));
  EXPECT_EQ(all.log.size(), each.log.size());
  ASSERT_EQ(all.proved->sections.size(), 5U);
  EXPECT_EQ(all.proved->stored, all.program);
  EXPECT_TRUE(is_whole_legal(all));
  for (const auto& [name, s] : each.program->statements) {
    const Statement& same = all.program->statement(name);
    ASSERT_EQ(same.writes.size(), s.writes.size());
    EXPECT_TRUE(same.writes[0].relation.is_equal(s.writes[0].relation)) << name;
  }
  EXPECT_TRUE(all.program->reference.is_equal(each.program->reference));
}

/// A program whose order is another one than as written is nothing to compare sections with.
TEST(Proof, LayoutsAfterOtherPrimitivesAreComparedWithWhatWasWritten) {
  const ThreeStages t(4, 6);
  const std::vector<LoopId>& loops = t.state.stage_loops.at("P");
  const State turned_loops = reorder(t.state, "P", {loops[1], loops[0]}, samples::at(6));
  const State laid_out = transform_layout(turned_loops, turned(t.p), samples::at(7));
  EXPECT_NE(laid_out.proved->stored, laid_out.program);
  EXPECT_TRUE(is_whole_legal(laid_out));
}

/// S[y, j] = X[y] * W[j], stored [j, y]; B[y, j] = S[y, j] * S[y, j]. W is reversed anew for each
/// y.
State reversed_in_each_row() {
  using samples::at;
  using samples::value_of;
  const auto axis = [](const char* name, std::int64_t end, int line) {
    return dsl::make_axis(name, dsl::AxisKind::Spatial, 0, end, at(line));
  };
  const auto x = dsl::make_placeholder({4}, DType::Float32, "X", at(1));
  const auto w = dsl::make_placeholder({6}, DType::Float32, "W", at(1));
  const auto y = axis("y", 4, 2), j = axis("j", 6, 2);
  const auto s =
      dsl::make_compute({4, 6}, {y, j},
                        dsl::make_binary(BinaryOp::Mul, dsl::make_read(x, {value_of(y)}, at(2)),
                                         dsl::make_read(w, {value_of(j)}, at(2)), at(2)),
                        "S", at(2));
  const auto by = axis("y", 4, 3), bj = axis("j", 6, 3);
  const auto of_s = dsl::make_read(s, {value_of(by), value_of(bj)}, at(3));
  const auto b = dsl::make_compute({4, 6}, {by, bj},
                                   dsl::make_binary(BinaryOp::Mul, of_s, of_s, at(3)), "B", at(3));
  State state = make_state({b}, at(4));
  const auto k = axis("k", 6, 5);
  const auto last = dsl::make_int(5, DType::Int64, true, at(5));
  state = transform_layout(
      state, {w, {k}, {dsl::make_binary(BinaryOp::Sub, last, value_of(k), at(5))}}, at(5));
  state = transform_layout(state, turned(s), at(6));
  return compute_at(state, "W_layout", "S", state.stage_loops.at("S")[0], at(7));
}

TEST(Proof, CopiesThatEachTileMakesAnewAreComparedByWhatTheyPassOn) {
  const State placed = reversed_in_each_row();
  ASSERT_EQ(placed.proved->sections.size(), 2U);
  EXPECT_TRUE(is_whole_legal(placed));
  const auto with_copy = [&](const auto& change) {
    State out = placed;
    auto program = std::make_shared<Program>(*placed.program);
    change(program->statements.at("W_layout"));
    out.program = program;
    return out;
  };
  State same = with_copy([](Statement&) {});
  EXPECT_TRUE(try_adopt_program(same, kRequest));
  EXPECT_EQ(same.proved->sections.size(), 2U);
  // To other places, and not all that is read.
  State elsewhere = with_copy([](Statement& copy) {
    copy.writes[0].index = copy.reads[0].index.set_range_tuple("W_layout");
    copy.writes[0].relation = copy.writes[0].index.as_map().intersect_domain(copy.domain);
  });
  EXPECT_FALSE(try_adopt_program(elsewhere, kRequest));
  EXPECT_FALSE(is_whole_legal(elsewhere));
  State less = with_copy([](Statement& copy) {
    const isl::set some(copy.domain.ctx(), "{ W[k] : k < 3 }");
    copy.domain = copy.reads[0].relation.intersect_range(some).domain();
    copy.writes[0].relation = copy.writes[0].index.as_map().intersect_domain(copy.domain);
    copy.reads[0].relation = copy.reads[0].index.as_map().intersect_domain(copy.domain);
    copy.origin = copy.origin->intersect_domain(copy.domain);
  });
  EXPECT_FALSE(try_adopt_program(less, kRequest));
  EXPECT_FALSE(is_whole_legal(less));
}

TEST(Proof, BySectionsAgreesWithExecutionInOtherLayouts) {
  ScheduleGenerator generator(20240702U);
  int made = 0, by_sections = 0;
  for (int k = 0; k < 12 && !HasFailure(); ++k) {
    const ThreeStages t(generator.pick(2, 4), generator.pick(2, 5));
    const auto expected = *Execution(*t.state.program, t.state.order)
                               .run({}, Interleaving::InOrder, generator.random());
    State state = t.state;
    std::string what;
    for (const dsl::Tensor& tensor : {t.a, t.p, t.r}) {
      if (generator.chance(60)) state = transform_layout(state, turned(tensor), samples::at(7));
    }
    for (int step = 0; step < 5; ++step) {
      try {
        if (generator.chance(15)) {
          what += " layout of P";
          state = transform_layout(state, turned(t.p), samples::at(8));
        } else {
          state = random_step(generator, state, what);
        }
      } catch (const IllegalScheduleError&) {
        continue;
      } catch (const ScheduleArgumentError&) {
        continue;
      }
      SCOPED_TRACE("case " + std::to_string(k) + ":" + what);
      ++made;
      by_sections += state.proved->sections.size() > 1 ? 1 : 0;
      EXPECT_TRUE(is_whole_legal(state));
      EXPECT_TRUE(runs_right(*state.program, state.order, expected, generator.random()));
    }
  }
  EXPECT_GE(made, 20);
  EXPECT_GE(by_sections, 15);
}

TEST(Proof, APriorOrderThatNobodyProvedIsNoGround) {
  // Without a proved reference the order of a section says nothing: the whole is looked at.
  const ThreeStages t(4, 6);
  State state = t.state;
  state.proved.reset();
  EXPECT_FALSE(try_prove_order(state, kRequest));
  EXPECT_NO_THROW(prove_order(state, kRequest));
  EXPECT_TRUE(try_adopt_program(state, kRequest));
  EXPECT_TRUE(try_prove_order(state, kRequest));
}

}  // namespace
}  // namespace solway::schedule
