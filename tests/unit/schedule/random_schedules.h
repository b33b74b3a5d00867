#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "schedule/buffer_slots.h"

#include "tests/unit/schedule/hand_made.h"

/// Small programs as they are written, and random steps from one schedule to the next.
namespace solway::schedule::testing {

inline Affine axis_at(std::size_t dims, std::size_t k, std::int64_t shift = 0) {
  return Generator::axis(dims, k, shift);
}

/// axis a + axis b
inline Affine sum_of(std::size_t dims, std::size_t a, std::size_t b) {
  Affine out = Generator::axis(dims, a);
  out.coefficients[b] += 1;
  return out;
}

/// Each statement under the loops whose numbers stand in its path, outermost first; loop number
/// path[k] runs along axis axes[k].
struct Nest {
  std::vector<LoopId> path;
  std::vector<std::size_t> axes;
};

inline PlainProgram nested(std::vector<PlainStatement> statements, const std::vector<Nest>& nests) {
  PlainProgram out;
  for (std::size_t s = 0; s < statements.size(); ++s) {
    for (std::size_t k = 0; k < nests[s].path.size(); ++k) {
      const auto id = static_cast<std::size_t>(nests[s].path[k]);
      if (id >= out.reference.loops.size()) out.reference.loops.resize(id + 1);
      out.reference.loops[id].value[statements[s].name] =
          axis_at(statements[s].bounds.size(), nests[s].axes[k]);
    }
    out.reference.placements.push_back({statements[s].name, nests[s].path});
  }
  out.statements = std::move(statements);
  return out;
}

using Sizes = std::vector<std::pair<std::int64_t, std::int64_t>>;

inline Sizes upto(const std::vector<std::int64_t>& ends) {
  Sizes out;
  for (const std::int64_t end : ends) out.emplace_back(0, end);
  return out;
}

/// C[i, j] = sum over k of A[i, k] * B[k, j], and D = relu(C) with an epilogue.
inline PlainSample matmul_sample(std::int64_t m, std::int64_t n, std::int64_t depth, bool epilogue,
                                 int order) {
  PlainStatement init{"I", StatementKind::Init, upto({m, n}), {}, {}, true};
  init.write = {"C", {axis_at(2, 0), axis_at(2, 1)}};
  PlainStatement update{"U", StatementKind::Update, upto({m, n, depth}), {}, {}, true};
  update.write = {"C", {axis_at(3, 0), axis_at(3, 1)}};
  update.reads = {{"A", {axis_at(3, 0), axis_at(3, 2)}}, {"B", {axis_at(3, 2), axis_at(3, 1)}}};
  PlainStatement use{"E", StatementKind::Compute, upto({m, n}), {}, {init.write}, false};
  use.write = {"D", {axis_at(2, 0), axis_at(2, 1)}};
  std::vector<PlainStatement> all{init, update};
  if (epilogue) all.push_back(use);
  const std::vector<std::vector<Nest>> nests{
      {{{0, 1}, {0, 1}}, {{0, 1, 2}, {0, 1, 2}}, {{0, 1}, {0, 1}}},
      {{{0, 1}, {0, 1}}, {{2, 3, 4}, {0, 1, 2}}, {{5, 6}, {0, 1}}},
      {{{0, 1}, {0, 1}}, {{0, 2, 3}, {0, 2, 1}}, {{0, 4}, {0, 1}}}};
  return {"matmul", nested(all, nests[static_cast<std::size_t>(order)]), {epilogue ? "D" : "C"}};
}

inline PlainSample convolution_sample(std::int64_t n, std::int64_t f, bool taps_outside) {
  PlainStatement init{"I", StatementKind::Init, upto({n}), {"O", {axis_at(1, 0)}}, {}, true};
  PlainStatement update{"U", StatementKind::Update, upto({n, f}), {"O", {axis_at(2, 0)}}, {}, true};
  update.reads = {{"A", {sum_of(2, 0, 1)}}, {"W", {axis_at(2, 1)}}};
  const std::vector<Nest> nests = taps_outside ? std::vector<Nest>{{{0}, {0}}, {{1, 2}, {1, 0}}}
                                               : std::vector<Nest>{{{0}, {0}}, {{0, 1}, {0, 1}}};
  return {"conv", nested({init, update}, nests), {"O"}};
}

inline PlainSample pipeline_sample(std::int64_t n) {
  PlainStatement p{"P", StatementKind::Compute, upto({n + 2}), {"P", {axis_at(1, 0)}}, {}, false};
  p.reads = {{"A", {axis_at(1, 0)}}, {"A", {axis_at(1, 0, 1)}}};
  PlainStatement c{"C", StatementKind::Compute, upto({n}), {"C", {axis_at(1, 0)}}, {}, false};
  for (const int shift : {0, 1, 2}) c.reads.push_back({"P", {axis_at(1, 0, shift)}});
  return {"pipeline", nested({p, c}, {{{0}, {0}}, {{1}, {0}}}), {"C"}};
}

inline PlainSample sum_pipeline_sample(std::int64_t n, std::int64_t depth) {
  PlainStatement init{"I", StatementKind::Init, upto({n + 1}), {"P", {axis_at(1, 0)}}, {}, true};
  PlainStatement update{"U",
                        StatementKind::Update,
                        upto({n + 1, depth}),
                        {"P", {axis_at(2, 0)}},
                        {{"A", {axis_at(2, 0), axis_at(2, 1)}}},
                        true};
  PlainStatement c{"C", StatementKind::Compute, upto({n}), {"C", {axis_at(1, 0)}}, {}, false};
  c.reads = {{"P", {axis_at(1, 0)}}, {"P", {axis_at(1, 0, 1)}}};
  return {
      "sum_pipeline", nested({init, update, c}, {{{0}, {0}}, {{0, 1}, {0, 1}}, {{2}, {0}}}), {"C"}};
}

inline PlainSample jacobi_sample(std::int64_t steps, std::int64_t n) {
  PlainStatement s{"S", StatementKind::Compute, {{1, steps}, {1, n - 1}}, {}, {}, false};
  s.write = {"H", {axis_at(2, 0), axis_at(2, 1)}};
  for (const int shift : {-1, 0, 1}) {
    s.reads.push_back({"H", {axis_at(2, 0, -1), axis_at(2, 1, shift)}});
  }
  return {"jacobi", nested({s}, {{{0, 1}, {0, 1}}}), {"H"}};
}

inline PlainSample gauss_seidel_sample(std::int64_t steps, std::int64_t n) {
  PlainStatement s{"S", StatementKind::Compute, {{0, steps}, {1, n - 1}}, {}, {}, false};
  s.write = {"T", {axis_at(2, 1)}};
  for (const int shift : {-1, 0, 1}) s.reads.push_back({"T", {axis_at(2, 1, shift)}});
  return {"gauss_seidel", nested({s}, {{{0, 1}, {0, 1}}}), {"T"}};
}

inline PlainSample prefix_sum_sample(std::int64_t n) {
  PlainStatement s{"S", StatementKind::Compute, {{1, n}}, {"R", {axis_at(1, 0)}}, {}, false};
  s.reads = {{"R", {axis_at(1, 0, -1)}}, {"A", {axis_at(1, 0)}}};
  return {"prefix_sum", nested({s}, {{{0}, {0}}}), {"R"}};
}

/// A sum in a scalar that keeps its order, and what uses it.
inline PlainSample ordered_sum_sample(std::int64_t n) {
  PlainStatement zero{"I", StatementKind::Compute, upto({2}), {"X", {axis_at(1, 0)}}, {}, false};
  PlainStatement fold{"U", StatementKind::Compute, upto({2, n}), {"X", {axis_at(2, 0)}}, {}, false};
  fold.reads = {{"X", {axis_at(2, 0)}}, {"A", {axis_at(2, 0), axis_at(2, 1)}}};
  PlainStatement use{"E", StatementKind::Compute, upto({2}), {"Y", {axis_at(1, 0)}}, {}, false};
  use.reads = {{"X", {axis_at(1, 0)}}};
  return {
      "ordered_sum", nested({zero, fold, use}, {{{0}, {0}}, {{0, 1}, {0, 1}}, {{0}, {0}}}), {"Y"}};
}

/// Draws programs and steps.
class ScheduleGenerator {
 public:
  explicit ScheduleGenerator(unsigned seed) : random_(seed) {}

  int pick(int begin, int end) {
    return std::uniform_int_distribution<int>(begin, end - 1)(random_);
  }
  bool chance(int percent) { return pick(0, 100) < percent; }
  std::mt19937& random() { return random_; }

  PlainSample sample() {
    switch (pick(0, 9)) {
      case 0:
        return matmul_sample(pick(1, 4), pick(1, 4), pick(2, 5), false, pick(0, 3));
      case 1:
        return matmul_sample(pick(1, 3), pick(1, 3), pick(2, 5), true, pick(0, 3));
      case 2:
        return convolution_sample(pick(4, 8), pick(2, 4), chance(40));
      case 3:
        return pipeline_sample(pick(4, 7));
      case 4:
        return sum_pipeline_sample(pick(3, 6), pick(2, 4));
      case 5:
        return jacobi_sample(pick(3, 5), pick(4, 6));
      case 6:
        return gauss_seidel_sample(pick(2, 4), pick(4, 7));
      case 7:
        return prefix_sum_sample(pick(4, 8));
      default:
        return ordered_sum_sample(pick(3, 6));
    }
  }

  /// A buffer, right or wrong, with transfers where they belong or not; nullopt when it does not
  /// apply. `what` says what was drawn.
  std::optional<State> buffer(const State& state, std::string& what) {
    std::vector<std::string> plain;
    for (const auto& [name, s] : state.program->statements) {
      if (!s.is_transfer()) plain.push_back(name);
    }
    const auto& any = plain[static_cast<std::size_t>(pick(0, static_cast<int>(plain.size())))];
    const Statement& user = state.program->statement(any);
    BufferPlan plan;
    plan.put = user.reads.empty() || chance(45);
    plan.get = !plan.put || chance(50);
    isl::map access = user.writes[0].relation;
    if (!plan.put) {
      access = user.reads[static_cast<std::size_t>(pick(0, static_cast<int>(user.reads.size())))]
                   .relation;
    }
    plan.tensor = isl_ext::tuple_name(access, isl_ext::Dim::Range);
    const bool alone = chance(plan.put ? 20 : 60);
    for (const std::string& name : plain) {
      if (name == any || (!alone && uses(state.program->statement(name), plan))) {
        plan.users.push_back(name);
      }
    }
    plan.depth = static_cast<std::size_t>(
        pick(0, 1 + static_cast<int>(state.order.placement_of(any).path.size())));
    if (chance(50)) plan.fault = static_cast<Fault>(pick(1, kFaults));
    what = "buffer of " + plan.tensor + " at depth " + std::to_string(plan.depth) +
           (plan.get ? " get" : "") + (plan.put ? " put" : "") + " fault " +
           std::to_string(static_cast<int>(plan.fault)) + " used by";
    for (const std::string& name : plan.users) what += " " + name;
    HandMade maker(state, plan);
    std::optional<State> out = maker.make();
    if (out && plan.depth > 0 && chance(45)) rotate(*out, maker.name(), what);
    if (out && chance(30)) {
      move_statement(
          *out, maker.name() + (plan.get ? "_get" : "_put") + (chance(50) ? "_issue" : "_complete"),
          what);
      set_reference(*out);
    }
    return out;
  }

  /// An order near the present one.
  State order(const State& state, std::string& what) {
    State out = state;
    const LoopId a = any_loop(state), b = any_loop(state);
    Loop& loop = out.order.loops.at(a);
    const auto& all = out.order.placements;
    const std::string& any =
        all[static_cast<std::size_t>(pick(0, static_cast<int>(all.size())))].statement;
    switch (pick(0, 8)) {
      case 0:
      case 1:
        what = "split " + loop.name;
        split(out.order, a, pick(2, 4));
        break;
      case 2:
      case 3:
        what = "swap " + loop.name + " and " + out.order.loop(b).name;
        swap(out.order, a, b);
        break;
      case 4:
        what = "reverse " + loop.name;
        for (auto& [name, value] : loop.value) value = value.neg();
        break;
      case 5:
        what = "shift " + loop.name + " of " + any;
        if (loop.value.count(any) != 0) {
          loop.value.at(any) = loop.value.at(any).add_constant(chance(50) ? 1 : -1);
        }
        break;
      case 6:
        move_statement(out, any, what);
        break;
      default:
        what = "parallel " + loop.name;
        for (const auto& [id, other] : state.order.loops) {
          if (other.mark == LoopMark::Parallel) return out;
        }
        loop.mark = LoopMark::Parallel;
        break;
    }
    return out;
  }

 private:
  static bool uses(const Statement& s, const BufferPlan& plan) {
    const auto hits = [&](const isl::map& access) {
      return isl_ext::tuple_name(access, isl_ext::Dim::Range) == plan.tensor;
    };
    return (plan.put && hits(s.writes[0].relation)) ||
           std::any_of(s.reads.begin(), s.reads.end(),
                       [&](const Operand& operand) { return hits(operand.relation); });
  }

  LoopId any_loop(const State& state) {
    auto at = state.order.loops.begin();
    std::advance(at, pick(0, static_cast<int>(state.order.loops.size())));
    return at->first;
  }

  static void set_reference(State& state) {
    auto program = std::make_shared<Program>(*state.program);
    program->reference = time_of(program->ctx(), state.order, program->domains());
    state.program = program;
  }

  /// How many loops stand around the transfers of a buffer; at least 1.
  static int loops_around(const State& state, const std::string& buffer) {
    std::size_t out = 1;
    for (const Placement& p : state.order.placements) {
      const Statement& s = state.program->statement(p.statement);
      if (s.is_transfer() && s.copy->buffer == buffer) out = std::max(out, p.path.size());
    }
    return static_cast<int>(out);
  }

  /// Slots that take turns, filled in time or too early, awaited in time or too late.
  void rotate(State& state, const std::string& buffer, std::string& what) {
    const int depth = pick(1, 4);
    const int distance = chance(70) ? pick(0, depth) : depth;
    auto program = std::make_shared<Program>(*state.program);
    const int across = chance(60) ? 1 : pick(1, 1 + loops_around(state, buffer));
    rotate_slots(*program, state.order, buffer, {depth, distance, across});
    what += " slots " + std::to_string(depth) + " distance " + std::to_string(distance) +
            " across " + std::to_string(across);
    for (Placement& p : state.order.placements) {
      const Statement& s = program->statement(p.statement);
      if (!s.is_transfer() || s.copy->buffer != buffer || chance(75)) continue;
      p.delay += chance(50) ? 1 : -1;
      what += " delay " + p.statement + " " + std::to_string(p.delay);
    }
    state.program = program;
    set_reference(state);
  }

  /// Lets a statement run one place earlier or later among its neighbours.
  void move_statement(State& state, const std::string& name, std::string& what) {
    auto& all = state.order.placements;
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const Placement& p) { return p.statement == name; });
    const bool later = chance(50);
    what += " move " + name + (later ? " later" : " earlier");
    if (later && at + 1 != all.end()) std::iter_swap(at, at + 1);
    if (!later && at != all.begin()) std::iter_swap(at, at - 1);
  }

  static void swap(Order& order, LoopId a, LoopId b) {
    for (Placement& p : order.placements) {
      const auto at = std::find(p.path.begin(), p.path.end(), a);
      const auto bt = std::find(p.path.begin(), p.path.end(), b);
      if (at != p.path.end() && bt != p.path.end()) std::iter_swap(at, bt);
    }
  }

  static void split(Order& order, LoopId id, long factor) {
    Loop outer = order.loop(id);
    Loop inner = outer;
    outer.name += "o";
    inner.name += "i";
    inner.mark = LoopMark::Serial;
    for (auto& [name, value] : outer.value) value = value.scale_down(factor).floor();
    for (auto& [name, value] : inner.value) value = value.mod(factor);
    const LoopId o = order.add(std::move(outer)), i = order.add(std::move(inner));
    for (Placement& p : order.placements) {
      const auto at = std::find(p.path.begin(), p.path.end(), id);
      if (at == p.path.end()) continue;
      *at = i;
      p.path.insert(at, o);
    }
    order.loops.erase(id);
  }

  std::mt19937 random_;
};

}  // namespace solway::schedule::testing
