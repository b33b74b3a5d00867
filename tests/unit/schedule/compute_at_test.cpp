#include "schedule/compute_at.h"

#include <cstdlib>
#include <iostream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/compute_root.h"
#include "schedule/legality.h"
#include "schedule/parallel.h"
#include "schedule/program_legality.h"
#include "schedule/reorder.h"
#include "schedule/split.h"
#include "schedule/vectorize.h"

#include "tests/unit/schedule/random_placements.h"
#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using ::testing::HasSubstr;
using testing::refusal;

std::string printed(const State& s, const std::vector<dsl::Tensor>& args) {
  const std::string all = ir::to_string(lowering::lower(s, args, "k", {}).kernel);
  return all.substr(all.find('\n') + 1);
}

/// The pipeline with C's loop split by `factor`.
struct Tiled : samples::Pipeline {
  State state;
  LoopId outer = 0, inner = 0;

  Tiled(std::int64_t n, std::int64_t factor) : Pipeline(n) {
    const State plain = make_state({c}, samples::at(5));
    const SplitResult made =
        split(plain, "C", plain.stage_loops.at("C")[0], factor, samples::at(6));
    state = made.state;
    outer = made.outer;
    inner = made.inner;
  }
  State placed() const { return compute_at(state, "P", "C", outer, samples::at(7)); }
};

TEST(ComputeAt, ComputesWhatOneIterationNeeds) {
  const Tiled tiled(8, 4);
  EXPECT_EQ(printed(tiled.placed(), {tiled.a, tiled.c}),
            "  allocate P: float32[5] in panel {\n"
            "    for i_o in [0, 2) {\n"
            "      for i in [0, 5) {\n"
            "        P[i] = (A[((i_o * 4) + i)] + A[(((i_o * 4) + i) + 1)])\n"
            "      }\n"
            "      for i_i in [0, 4) {\n"
            "        C[((i_o * 4) + i_i)] = (P[i_i] * P[(i_i + 1)])\n"
            "      }\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(ComputeAt, APartialTileComputesNoMoreThanItNeeds) {
  const Tiled tiled(6, 4);
  const State state = tiled.placed();
  const isl::set& domain = state.program->statement("P").domain;
  EXPECT_TRUE(
      domain.is_equal(isl::set(domain.ctx(), "{ P[0, i] : 0 <= i < 5; P[1, i] : 4 <= i < 7 }")));
}

TEST(ComputeAt, ABoxHoldsWhatIsNotNeeded) {
  const auto axis = [](const char* name, std::int64_t extent) {
    return dsl::make_axis(name, dsl::AxisKind::Spatial, 0, extent, samples::at(2));
  };
  const dsl::Tensor a = dsl::make_placeholder({6, 6}, DType::Float32, "A", samples::at(1));
  const auto i = axis("i", 6), j = axis("j", 6), k = axis("k", 6);
  const dsl::Tensor p = dsl::make_compute(
      {6, 6}, {i, j},
      dsl::make_read(a, {samples::value_of(i), samples::value_of(j)}, samples::at(2)), "P",
      samples::at(2));
  const dsl::Tensor c = dsl::make_compute(
      {6}, {k}, dsl::make_read(p, {samples::value_of(k), samples::value_of(k)}, samples::at(3)),
      "C", samples::at(3));
  const State before = make_state({c}, samples::at(4));
  const auto tiled = split(before, "C", before.stage_loops.at("C")[0], 4, samples::at(5));
  const auto domain = [&](TileRegion region) {
    const State made = compute_at(tiled.state, "P", "C", tiled.outer, samples::at(6), region);
    return made.program->statement("P").domain;
  };
  const isl::set exact = domain(TileRegion::Exact);
  EXPECT_TRUE(exact.is_equal(
      isl::set(exact.ctx(), "{ P[o, i, i] : 0 <= o < 2 and 4o <= i < 4o + 4 and i < 6 }")));
  const isl::set box = domain(TileRegion::Box);
  EXPECT_TRUE(box.is_equal(isl::set(box.ctx(),
                                    "{ P[o, i, j] : 0 <= o < 2 and 4o <= i < 4o + 4 and i < 6 "
                                    "and 4o <= j < 4o + 4 and j < 6 }")));
}

TEST(ComputeAt, AWholeTileHoldsWhatTheLastReadersDoNotNeed) {
  const dsl::Tensor a = dsl::make_placeholder({8, 8}, DType::Float32, "A", samples::at(1));
  const auto axis = [](const char* name, std::int64_t extent) {
    return dsl::make_axis(name, dsl::AxisKind::Spatial, 0, extent, samples::at(2));
  };
  const auto read = [](const dsl::Tensor& t, const dsl::Axis& y, const dsl::Axis& x) {
    return dsl::make_read(t, {samples::value_of(y), samples::value_of(x)}, samples::at(2));
  };
  const dsl::Axis i = axis("i", 8), j = axis("j", 8), y = axis("y", 6), x = axis("x", 5);
  const dsl::Tensor p = dsl::make_compute({8, 8}, {i, j}, read(a, i, j), "P", samples::at(2));
  const dsl::Tensor c = dsl::make_compute({6, 5}, {y, x}, read(p, y, x), "C", samples::at(3));
  const State before = make_state({c}, samples::at(4));
  const auto tiled = split(before, "C", before.stage_loops.at("C")[0], 4, samples::at(5));
  const auto domain = [&](TileRegion region) {
    const State made = compute_at(tiled.state, "P", "C", tiled.outer, samples::at(6), region);
    return made.program->statement("P").domain;
  };
  const isl::set box = domain(TileRegion::Box);
  EXPECT_TRUE(box.is_equal(isl::set(
      box.ctx(), "{ P[o, i, j] : 0 <= o < 2 and 4o <= i < 4o + 4 and i < 6 and 0 <= j < 5 }")));
  const isl::set whole = domain(TileRegion::Whole);
  EXPECT_TRUE(whole.is_equal(
      isl::set(box.ctx(), "{ P[o, i, j] : 0 <= o < 2 and 4o <= i < 4o + 4 and 0 <= j < 8 }")));
}

TEST(ComputeAt, TheLoopsInsideAreThoseOfTheStage) {
  const Tiled tiled(8, 4);
  State state = tiled.placed();
  const LoopId loop = state.stage_loops.at("P")[0];
  EXPECT_EQ(state.order.loop(loop).extent(), 5);
  state = split(state, "P", loop, 2, samples::at(8)).state;
  EXPECT_EQ(state.order.placement_of("P").path.size(), 3U);
  EXPECT_EQ(state.log.back().stage, "P");
}

TEST(ComputeAt, TilesOfParallelCoresAreTheirOwn) {
  const Tiled tiled(8, 4);
  const State state = parallel(tiled.placed(), "C", tiled.outer, samples::at(8));
  EXPECT_THAT(printed(state, {tiled.a, tiled.c}),
              HasSubstr("parallel {\n    allocate P: float32[5] in panel {"));
}

TEST(ComputeAt, ATileLiesWhereItIsAsked) {
  const Tiled tiled(8, 4);
  EXPECT_EQ(tiled.placed().program->array("P").scope, "");
  EXPECT_TRUE(tiled.placed().log.back().arguments.size() == 2);
  const State state =
      compute_at(tiled.state, "P", "C", tiled.outer, samples::at(7), TileRegion::Exact, "register");
  EXPECT_EQ(state.program->array("P").scope, "register");
  EXPECT_EQ(state.log.back().arguments.back().first, "scope");
  // Each lane then has one of its own, which a tile in other memory is not.
  EXPECT_NO_THROW(vectorize(state, "C", tiled.outer, samples::at(8)));
  EXPECT_THROW(vectorize(tiled.placed(), "C", tiled.outer, samples::at(8)), IllegalScheduleError);
}

TEST(ComputeAt, ReorderTakesTheGuestAlong) {
  const testing::ScheduledMatmul matmul(4, 4, 4);
  const auto x = dsl::make_axis("x", dsl::AxisKind::Spatial, 0, 4, samples::at(6));
  const auto y = dsl::make_axis("y", dsl::AxisKind::Spatial, 0, 4, samples::at(6));
  const auto use = dsl::make_compute(
      {4, 4}, {x, y},
      dsl::make_read(matmul.c, {samples::value_of(x), samples::value_of(y)}, samples::at(6)), "D",
      samples::at(6));
  State state = make_state({use}, samples::at(7));
  const std::vector<LoopId> loops = state.stage_loops.at("D");
  EXPECT_EQ(legal_levels(state, "C", "D", samples::at(8)), loops);
  state = compute_at(state, "C", "D", loops[1], samples::at(8));
  EXPECT_EQ(state.program->array("C").shape, (std::vector<std::int64_t>{1, 1}));
  state = reorder(state, "D", {loops[1], loops[0]}, samples::at(9));
  EXPECT_EQ(state.order.placement_of("C").path[0], loops[1]);
  EXPECT_EQ(state.order.placement_of("C_init").path[1], loops[0]);
}

TEST(ComputeAt, RefusesOutputsAndLoopsThatDoNotEncloseAllReaders) {
  const Tiled tiled(8, 4);
  const auto of = [&](const State& state, const std::string& stage, const std::string& consumer,
                      LoopId axis) {
    return refusal<ScheduleArgumentError>(
        [&] { compute_at(state, stage, consumer, axis, samples::at(8)); });
  };
  EXPECT_EQ(of(tiled.state, "C", "P", tiled.state.stage_loops.at("P")[0]).what,
            "compute_at(P, i): 'C' is an output");
  const State two = make_state({tiled.c, tiled.p}, samples::at(5));
  EXPECT_EQ(of(two, "P", "C", two.stage_loops.at("C")[0]).what,
            "compute_at(C, i): 'P' is an output");
  EXPECT_EQ(of(tiled.state, "P", "C", tiled.state.stage_loops.at("P")[0]).why, "it belongs to 'P'");
}

/// P[i, j] = A[i, j]; Q = P; C = Q, with Q in the expression of C.
struct InlinedCopy {
  State state;
  std::vector<LoopId> loops;

  InlinedCopy() {
    const auto a = dsl::make_placeholder({4, 4}, DType::Float32, "A", samples::at(1));
    const auto copy = [](const dsl::Tensor& from, const std::string& name) {
      const auto i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 4, samples::at(2));
      const auto j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 4, samples::at(2));
      const auto read =
          dsl::make_read(from, {samples::value_of(i), samples::value_of(j)}, samples::at(2));
      return dsl::make_compute({4, 4}, {i, j}, read, name, samples::at(2));
    };
    state = make_state({copy(copy(copy(a, "P"), "Q"), "C")}, samples::at(5));
    loops = state.stage_loops.at("C");
    state = compute_inline(state, "Q", samples::at(6));
  }
};

TEST(ComputeAt, AValueInsideAnExpressionIsReadOnTheCoreOfItsUser) {
  const InlinedCopy program;
  const State state = compute_at(program.state, "P", "C", program.loops[0], samples::at(7));
  EXPECT_NO_THROW(parallel(state, "C", program.loops[0], samples::at(8)));
  const auto report = refusal<IllegalScheduleError>(
      [&] { parallel(state, "C", program.loops[1], samples::at(8)); });
  EXPECT_THAT(report.what, HasSubstr("'P' on a core that did not fill it"));
}

TEST(ComputeAt, ATileHasNoBuffer) {
  const Tiled tiled(8, 4);
  const State state = tiled.placed();
  BufferRequest request;
  request.stage = "C";
  request.tensor = "P";
  request.at = tiled.outer;
  request.text = "buffer_read(P, at=i.o)";
  EXPECT_EQ(
      refusal<ScheduleArgumentError>([&] { buffer_read(state, request, samples::at(8)); }).what,
      "buffer_read(P, at=i.o): 'P' is in near memory already");
}

TEST(ComputeAt, MovesAStageThatWasPlaced) {
  const Tiled tiled(8, 4);
  const State state = compute_at(tiled.placed(), "P", "C", tiled.inner, samples::at(8));
  EXPECT_EQ(state.program->array("P").shape, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(state.log.size(), 3U);
}

struct Tally {
  int right_accepted = 0, wrong_refused = 0, right_refused = 0, wrong_accepted = 0, steps = 0;
  int illegal = 0, unsupported = 0, arguments = 0;
  std::map<std::string, int> refusals;
};

std::string text_of(const State& state) {
  std::string out;
  for (const Placement& p : state.order.placements) {
    const Statement& s = state.program->statement(p.statement);
    out += p.statement + " " + isl_ext::to_string(s.domain) + " writes " +
           isl_ext::to_string(s.written());
    for (const Operand& operand : s.reads) out += " reads " + isl_ext::to_string(operand.relation);
    out += "\n";
  }
  return out;
}

/// Whether the proof accepts the program and its marks.
bool is_accepted(const State& state) {
  const Request request{"fault", {}};
  try {
    require_program_legal(*state.original, *state.program, request);
    require_marks_legal(state, request);
  } catch (const IllegalScheduleError&) {
    return false;
  } catch (const InternalError&) {
    return false;  // the parts of a program disagree
  }
  return true;
}

void walk(testing::PlacementGenerator& generator, Tally& tally) {
  State state = generator.program();
  std::mt19937& random = generator.random();
  const auto expected = *testing::Execution(*state.program, state.order)
                             .run({}, testing::Interleaving::InOrder, random);
  std::string script;
  for (int k = generator.pick(2, 8); k > 0; --k) {
    std::string what;
    try {
      state = generator.step(state, what);
      script += what + "; ";
      ++tally.steps;
    } catch (const ScheduleArgumentError&) {
      ++tally.arguments;
      continue;
    } catch (const UnsupportedError&) {
      ++tally.unsupported;
      continue;
    } catch (const IllegalScheduleError&) {
      ++tally.illegal;
      ++tally.refusals[what.substr(0, what.find(' '))];
      continue;
    } catch (const isl::exception& e) {
      ADD_FAILURE() << script << what << ": " << e.what() << "\n" << text_of(state);
      return;
    }
    SCOPED_TRACE(script + "\n" + text_of(state));
    EXPECT_TRUE(testing::runs_right(*state.program, state.order, expected, random));
    if (::testing::Test::HasFailure()) return;
    std::string fault;
    const State wrong = generator.corrupted(state, fault);
    if (fault.empty()) continue;
    SCOPED_TRACE(fault + "\n" + text_of(wrong));
    bool accepted = false;
    try {
      accepted = is_accepted(wrong);
    } catch (const isl::exception& e) {
      ADD_FAILURE() << e.what();
      return;
    }
    const bool right = testing::runs_right(*wrong.program, wrong.order, expected, random);
    EXPECT_TRUE(right || !accepted) << "accepted, but computes something else";
    ++(right      ? accepted ? tally.right_accepted : tally.right_refused
       : accepted ? tally.wrong_accepted
                  : tally.wrong_refused);
  }
}

unsigned number(const char* name, unsigned otherwise) {
  const char* chosen = std::getenv(name);
  return chosen == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(chosen, nullptr, 10));
}

TEST(ComputeAt, RandomPlacementsAndFaultsInThemAgreeWithExecution) {
  const unsigned cases = number("SOLWAY_PLACEMENTS", 40);
  const unsigned first = number("SOLWAY_SEED", 0) * cases + 1;
  Tally tally;
  for (unsigned seed = first; seed < first + cases && !HasFailure(); ++seed) {
    testing::PlacementGenerator generator(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    walk(generator, tally);
  }
  std::cout << tally.steps << " steps accepted and right; of faults " << tally.right_accepted
            << " right accepted, " << tally.wrong_refused << " wrong refused, "
            << tally.right_refused << " right refused, " << tally.wrong_accepted
            << " wrong accepted\n"
            << "  of steps " << tally.illegal << " illegal, " << tally.arguments << " arguments, "
            << tally.unsupported << " unsupported\n";
  for (const auto& [what, count] : tally.refusals) {
    std::cout << "  illegal: " << what << " " << count << "\n";
  }
  EXPECT_GT(tally.wrong_refused, 0);
}

}  // namespace
}  // namespace solway::schedule
