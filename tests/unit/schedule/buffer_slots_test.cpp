#include "schedule/buffer_slots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/program_legality.h"
#include "support/isl_ext.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs
using ::testing::HasSubstr;

/// A program and its order that are changed in place.
struct Rotated {
  Rotated(const State& state, const std::string& buffer, int depth, int distance, int across = 1)
      : program(*state.program), order(state.order), original(state.original) {
    rotate_slots(program, order, buffer, {depth, distance, across});
  }

  void set_delay(const std::string& statement, std::int64_t delay) {
    for (Placement& p : order.placements) {
      if (p.statement == statement) p.delay = delay;
    }
  }

  /// What the proof says; empty when it accepts.
  std::string verdict() {
    program.reference = time_of(program.ctx(), order, program.domains());
    try {
      require_program_legal(*original, program, {"double_buffer(AA)", samples::at(9)});
    } catch (const IllegalScheduleError& e) {
      return e.what();
    }
    return "";
  }

  Program program;
  Order order;
  std::shared_ptr<const Program> original;
};

State with_a() {
  const TiledMatmul m(2, 8, 12, 4, 3);
  return buffer_read(m.state, request_for("A", {m.ki}, m.ko), samples::at(9)).state;
}

State with_c(const TiledMatmul& m, LoopId at) {
  return buffer_write(m.state, request_for("C", {m.yi}, at), samples::at(9)).state;
}

/// Four tiles of 3 for each of two tiles of columns.
TEST(RotateSlots, TakesTurnsAcrossLoops) {
  Rotated odd(with_a(), "AA", 3, 1, 2);
  EXPECT_EQ(odd.verdict(), "");
  const std::vector<LoopId> loops =
      turning_loops(odd.program, odd.order, odd.program.buffers.at("AA"));
  ASSERT_EQ(loops.size(), 2U);
  EXPECT_EQ(turn_weights(odd.order, loops, 3), (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(turn_weights(odd.order, loops, 2), (std::vector<std::int64_t>{0, 1}));
  const isl::pw_aff outer = odd.order.value_of(loops[0], "AA_get_issue");
  const isl::pw_aff inner = odd.order.value_of(loops[1], "AA_get_issue");
  const isl::set domain = odd.program.statement("AA_get_issue").domain;
  // The first of a pass is asked for in the last step of the one before.
  EXPECT_EQ(isl_ext::to_string(inner.intersect_domain(domain).max_val()), "3");
  EXPECT_EQ(isl_ext::to_string(inner.intersect_domain(domain).min_val()), "0");
  EXPECT_EQ(isl_ext::to_string(outer.intersect_domain(domain).min_val()), "-1");
}

/// Three steps early, over loops of two columns of tiles and of one tile: a pass of both is two
/// steps.
TEST(RotateSlots, GoesRoundSeveralLoopsMoreThanOnce) {
  const TiledMatmul m(3, 8, 3, 4, 3);
  const State state = buffer_read(m.state, request_for("A", {m.ki}, m.ko), samples::at(9)).state;
  Rotated far(state, "AA", 4, 3, 3);
  EXPECT_EQ(far.verdict(), "");
  const std::vector<LoopId> loops =
      turning_loops(far.program, far.order, far.program.buffers.at("AA"));
  ASSERT_EQ(loops.size(), 3U);
  const isl::set domain = far.program.statement("AA_get_issue").domain;
  const auto bounds = [&](LoopId loop) {
    const isl::pw_aff value = far.order.value_of(loop, "AA_get_issue").intersect_domain(domain);
    return isl_ext::to_string(value.min_val()) + " to " + isl_ext::to_string(value.max_val());
  };
  EXPECT_EQ(bounds(loops[0]), "-2 to 1");
  EXPECT_EQ(bounds(loops[1]), "0 to 1");
  EXPECT_EQ(bounds(loops[2]), "0 to 0");
}

TEST(RotateSlots, NumbersThemOverTheInnermostLoop) {
  Rotated r(with_a(), "AA", 2, 1);
  EXPECT_EQ(r.program.array("AA").shape, (std::vector<std::int64_t>{2, 3}));
  const isl::map read = r.program.statement("C").reads[1].relation;
  const isl::map expected(read.ctx(),
                          "{ C[x, y, k] -> AA[floor(k/3) mod 2, k mod 3] : 0 <= x < 2 and "
                          "0 <= y < 8 and 0 <= k < 12 }");
  EXPECT_TRUE(read.is_equal(expected)) << isl_ext::to_string(read);
  const isl::map filled = r.program.statement("AA_get_issue").writes[0].relation;
  const isl::map slots(filled.ctx(),
                       "{ AA_get_issue[x, yo, ko] -> AA[ko mod 2, c] : 0 <= x < 2 and "
                       "0 <= yo < 2 and 0 <= ko < 4 and 0 <= c < 3 }");
  EXPECT_TRUE(filled.is_equal(slots)) << isl_ext::to_string(filled);
  EXPECT_EQ(r.order.placement_of("AA_get_issue").delay, -1);
  EXPECT_EQ(r.order.placement_of("AA_get_complete").delay, 0);
  EXPECT_EQ(r.verdict(), "");
}

TEST(RotateSlots, OneSlotIsWhatWasThere) {
  const State state = with_a();
  Rotated r(state, "AA", 3, 2);
  rotate_slots(r.program, r.order, "AA", {1, 0});
  EXPECT_EQ(r.program.array("AA").shape, state.program->array("AA").shape);
  for (const auto& [name, s] : state.program->statements) {
    EXPECT_TRUE(r.program.statement(name).writes[0].relation.is_equal(s.writes[0].relation));
    EXPECT_EQ(r.order.placement_of(name).delay, 0);
  }
}

TEST(RotateSlots, RefusesARefillOneSlotTooEarly) {
  EXPECT_EQ(Rotated(with_a(), "AA", 3, 2).verdict(), "");
  EXPECT_THAT(Rotated(with_a(), "AA", 2, 2).verdict(), HasSubstr("AA"));
  EXPECT_THAT(Rotated(with_a(), "AA", 3, 3).verdict(), HasSubstr("AA"));
}

TEST(RotateSlots, RefusesALateWait) {
  Rotated r(with_a(), "AA", 2, 1);
  r.set_delay("AA_get_complete", 1);
  EXPECT_THAT(r.verdict(), HasSubstr("AA"));
}

TEST(RotateSlots, RefusesADroppedWait) {
  Rotated r(with_a(), "AA", 2, 1);
  Statement& wait = r.program.statements.at("AA_get_complete");
  const isl::set last = wait.domain.lexmax();
  wait.domain = wait.domain.subtract(last);
  wait.copy->elements = wait.copy->elements.intersect_domain(wait.domain);
  wait.copy->storage = wait.copy->storage.intersect_domain(wait.copy->elements.wrap());
  wait.writes[0].relation = wait.writes[0].relation.intersect_domain(wait.domain);
  wait.reads[0].relation = wait.reads[0].relation.intersect_domain(wait.domain);
  EXPECT_THAT(r.verdict(), HasSubstr("AA"));
}

TEST(RotateSlots, StoresDuringTheNextIteration) {
  const TiledMatmul m(2, 12, 6, 4, 3);
  Rotated r(with_c(m, m.yo), "CC", 2, 0);
  EXPECT_EQ(r.order.placement_of("CC_put_issue").delay, 0);
  EXPECT_EQ(r.order.placement_of("CC_put_complete").delay, 1);
  EXPECT_EQ(r.verdict(), "");
  r.set_delay("CC_put_complete", 2);
  EXPECT_THAT(r.verdict(), HasSubstr("CC"));
}

TEST(RotateSlots, LoadsAndStoresShareTheSlots) {
  // Every k.o continues the sum of the one before: nothing can be loaded early.
  const TiledMatmul m(2, 12, 6, 4, 3);
  const State each = with_c(m, m.ko);
  EXPECT_THAT(Rotated(each, "CC", 2, 0).verdict(), HasSubstr("CC"));
  EXPECT_THAT(Rotated(each, "CC", 2, 1).verdict(), HasSubstr("CC"));
  Rotated in_turn(each, "CC", 2, 0);
  in_turn.set_delay("CC_put_complete", 0);
  EXPECT_EQ(in_turn.verdict(), "");
}

TEST(RenumberSlots, FollowsTheLoopAroundTheTransfers) {
  const TiledMatmul m(2, 8, 12, 4, 3);
  const State state = buffer_read(m.state, request_for("A", {m.ki}, m.ko), samples::at(9)).state;
  Rotated r(state, "AA", 2, 1);
  EXPECT_TRUE(slots_are_numbered(r.program, r.order));
  // The loop counts from somewhere else: its even iterations are the odd ones now.
  Loop& ko = r.order.loops.at(m.ko);
  for (auto& [name, value] : ko.value) value = value.add_constant(3L);
  EXPECT_FALSE(slots_are_numbered(r.program, r.order));
  renumber_slots(r.program, r.order);
  EXPECT_TRUE(slots_are_numbered(r.program, r.order));
  const isl::map read = r.program.statement("C").reads[1].relation;
  const isl::map expected(read.ctx(),
                          "{ C[x, y, k] -> AA[(floor(k/3) + 1) mod 2, k mod 3] : 0 <= x < 2 and "
                          "0 <= y < 8 and 0 <= k < 12 }");
  EXPECT_TRUE(read.is_equal(expected)) << isl_ext::to_string(read);
  EXPECT_EQ(r.verdict(), "");
}

TEST(LoopAround, IsTheInnermostOfTheTransfers) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State state = buffer_read(m.state, request_for("A", {m.ki}, m.ko), samples::at(9)).state;
  EXPECT_EQ(loop_around(*state.program, state.order, "AA"), m.ko);
}

}  // namespace
}  // namespace solway::schedule
