#pragma once

#include <string>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "schedule/split.h"
#include "schedule/state.h"
#include "schedule/vectorize.h"

#include "tests/support/sample_programs.h"
#include "tests/unit/schedule/random_schedules.h"

/// Three stages one after the other, of which the last reads both others, and random primitives.
namespace solway::schedule::testing {

/// P[i, j] = A[i, j] * A[i, j]; Q[i] = sum over k of P[i, k]; R[i, j] = P[i, j] * Q[i].
struct ThreeStages {
  dsl::Tensor a, p, q, r;
  State state;

  ThreeStages(std::int64_t m, std::int64_t n) {
    using samples::at;
    using samples::value_of;
    const auto axis = [](const char* name, dsl::AxisKind kind, std::int64_t end, int line) {
      return dsl::make_axis(name, kind, 0, end, at(line));
    };
    const auto product = [](const dsl::Expr& x, const dsl::Expr& y, int line) {
      return dsl::make_binary(BinaryOp::Mul, x, y, at(line));
    };
    a = dsl::make_placeholder({m, n}, DType::Float32, "A", at(1));
    const auto pi = axis("i", dsl::AxisKind::Spatial, m, 2);
    const auto pj = axis("j", dsl::AxisKind::Spatial, n, 2);
    const auto of_a = dsl::make_read(a, {value_of(pi), value_of(pj)}, at(2));
    p = dsl::make_compute({m, n}, {pi, pj}, product(of_a, of_a, 2), "P", at(2));
    const auto qi = axis("i", dsl::AxisKind::Spatial, m, 3);
    const auto k = axis("k", dsl::AxisKind::Reduce, n, 3);
    const auto term = dsl::make_read(p, {value_of(qi), value_of(k)}, at(3));
    q = dsl::make_compute({m}, {qi}, dsl::make_reduce(ReduceOp::Sum, term, {k}, at(3)), "Q", at(3));
    const auto ri = axis("i", dsl::AxisKind::Spatial, m, 4);
    const auto rj = axis("j", dsl::AxisKind::Spatial, n, 4);
    r = dsl::make_compute({m, n}, {ri, rj},
                          product(dsl::make_read(p, {value_of(ri), value_of(rj)}, at(4)),
                                  dsl::make_read(q, {value_of(ri)}, at(4)), 4),
                          "R", at(4));
    state = schedule::make_state({r}, at(5));
  }
};

/// A random primitive on a random stage; throws what it throws. `what` says what was drawn.
inline State random_step(ScheduleGenerator& generator, const State& state, std::string& what) {
  const SourceLoc where{"user.py", 9, ""};
  const char* const stages[] = {"P", "Q", "R"};
  const std::string stage = stages[generator.pick(0, 3)];
  std::vector<LoopId> loops = state.stage_loops.at(stage);
  const LoopId loop =
      loops[static_cast<std::size_t>(generator.pick(0, static_cast<int>(loops.size())))];
  const std::string tensor = stage == "P" ? "A" : stage == "Q" || generator.chance(50) ? "P" : "Q";
  what += " " + stage + ".";
  switch (generator.pick(0, 7)) {
    case 0:
      what += "split " + loop_name(state, loop);
      return split(state, stage, loop, generator.pick(2, 4), where).state;
    case 1:
      std::shuffle(loops.begin(), loops.end(), generator.random());
      what += "reorder";
      return reorder(state, stage, loops, where);
    case 2:
      what += "parallel " + loop_name(state, loop);
      return parallel(state, stage, loop, where);
    case 3:
      what += "vectorize " + loop_name(state, loop);
      return vectorize(state, stage, loop, where);
    case 4:
      what += "write at " + loop_name(state, loop);
      return buffer_write(state, {stage, stage, {}, loop, "", {}, "buffer_write"}, where).state;
    default:
      what += "read " + tensor + " at " + loop_name(state, loop);
      return buffer_read(state, {stage, tensor, {}, loop, "", {}, "buffer_read"}, where).state;
  }
}

}  // namespace solway::schedule::testing
