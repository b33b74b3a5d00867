#pragma once

#include <random>
#include <string>
#include <vector>

#include "schedule/buffer.h"
#include "schedule/compute_at.h"
#include "schedule/compute_inline.h"
#include "schedule/compute_root.h"
#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "schedule/rfactor.h"
#include "schedule/split.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"
#include "tests/unit/schedule/execution.h"

/// Random programs of several stages, primitives that place their stages, and faults in what these
/// primitives make.
namespace solway::schedule::testing {

/// Draws programs, primitives and faults.
class PlacementGenerator {
 public:
  explicit PlacementGenerator(unsigned seed) : random_(seed) {}

  std::mt19937& random() { return random_; }
  int pick(int begin, int end) {
    return std::uniform_int_distribution<int>(begin, end - 1)(random_);
  }
  bool chance(int percent) { return pick(0, 100) < percent; }

  /// Stages P, Q, C over one or two dimensions, each reading the one before at one or several
  /// elements, and the input; P or Q may be reductions.
  State program() {
    rank_ = static_cast<std::size_t>(pick(1, 3));
    input_ = dsl::make_placeholder(shape(18), DType::Float32, "A", samples::at(1));
    const dsl::Tensor p = stage("P", input_, 12, chance(35));
    const dsl::Tensor q = chance(60) ? stage("Q", p, 8, chance(25)) : p;
    const dsl::Tensor c = stage("C", q, pick(4, 6), chance(20));
    std::vector<dsl::Tensor> outputs{c};
    if (chance(10)) outputs.push_back(p);
    return schedule::make_state(outputs, samples::at(5));
  }

  /// One primitive that may be refused.
  State step(const State& state, std::string& what) {
    const auto& stages = state.program->stages;
    const std::string stage = any(stages)->name;
    const std::vector<LoopId>& loops = state.stage_loops.at(stage);
    const SourceLoc where = samples::at(9);
    switch (pick(0, 12)) {
      case 0:
      case 1:
        what = "split of " + stage;
        if (loops.empty()) return state;
        return split(state, stage, any(loops), pick(2, 4), where).state;
      case 2:
        what = "reorder of " + stage;
        if (loops.size() < 2) return state;
        return reorder(state, stage, {loops.back(), loops.front()}, where);
      case 3:
        what = "parallel of " + stage;
        if (loops.empty() || has_parallel_loop(state)) return state;
        return parallel(state, stage, any(loops), where);
      case 4:
      case 5:
        what = "compute_inline of " + stage;
        return compute_inline(state, stage, where);
      case 6:
        what = "compute_root of " + stage;
        return compute_root(state, stage, where);
      case 7:
      case 8: {
        what = "rfactor of " + stage;
        if (loops.empty()) return state;
        return rfactor(state, stage, any(loops), where).state;
      }
      default: {
        const std::string consumer = any(stages)->name;
        const std::vector<LoopId>& around = state.stage_loops.at(consumer);
        what = "compute_at of " + stage + " in " + consumer;
        if (around.empty()) return state;
        const bool is_box = pick(0, 3) == 0;
        if (is_box) what += ", a box";
        return compute_at(state, stage, consumer, any(around), where,
                          is_box ? TileRegion::Box : TileRegion::Exact);
      }
    }
  }

  /// The same with one thing wrong, or at least different; the program's order follows.
  State corrupted(const State& state, std::string& what) {
    State out = state;
    auto program = std::make_shared<Program>(*state.program);
    std::vector<std::string> names;
    for (const auto& [name, s] : program->statements) {
      if (s.origin || !s.inlined.empty()) names.push_back(name);
    }
    if (names.empty()) {
      what = "";
      return state;
    }
    Statement& s = program->statements.at(any(names));
    what = " fault in " + s.name + ": ";
    switch (pick(0, 7)) {
      case 0:
        what += "an operand of the neighbour";
        if (!s.reads.empty()) shift(any_of(s.reads).relation);
        break;
      case 1:
        what += "the origin of the neighbour";
        shift_origin(s);
        break;
      case 2:
        what += "the last instance is missing";
        restrict(s, s.domain.subtract(s.domain.lexmax()));
        break;
      case 3:
        what += "stores to the neighbour";
        shift(s.writes[0].relation);
        break;
      case 4: {
        what += "shared tiles";
        const std::string array = isl_ext::tuple_name(s.writes[0].relation, isl_ext::Dim::Range);
        Array& tile = program->arrays.at(array);
        if (tile.kind == ArrayKind::Buffer) tile.kind = ArrayKind::Temporary;
        break;
      }
      case 5:
        what += "another place";
        move(out.order, s.name);
        break;
      default:
        what += "an inlined value of the neighbour";
        if (!s.inlined.empty()) shift(any_of(s.inlined).origin);
        break;
    }
    program->reference = time_of(program->ctx(), out.order, program->domains());
    out.program = program;
    return out;
  }

 private:
  static bool has_parallel_loop(const State& state) {
    const auto& loops = state.order.loops;
    return std::any_of(loops.begin(), loops.end(),
                       [](const auto& pair) { return pair.second.mark == LoopMark::Parallel; });
  }

  template <typename T>
  const T& any(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(pick(0, static_cast<int>(all.size())))];
  }
  template <typename T>
  T& any_of(std::vector<T>& all) {
    return all[static_cast<std::size_t>(pick(0, static_cast<int>(all.size())))];
  }

  std::vector<std::int64_t> shape(std::int64_t extent) const {
    std::vector<std::int64_t> out{extent};
    if (rank_ == 2) out.push_back(extent / 2);
    return out;
  }

  dsl::Expr read(const dsl::Tensor& tensor, const std::vector<dsl::Axis>& axes,
                 const dsl::Expr& extra) {
    std::vector<dsl::Expr> indices;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      dsl::Expr index = samples::value_of(axes[k]);
      if (k == 0 && extra) {
        index = dsl::make_binary(BinaryOp::Add, index, extra, samples::at(2));
      } else if (chance(40)) {
        const auto by = dsl::make_int(pick(0, 3), DType::Int64, true, samples::at(2));
        index = dsl::make_binary(BinaryOp::Add, index, by, samples::at(2));
      }
      indices.push_back(index);
    }
    return dsl::make_read(tensor, indices, samples::at(2));
  }

  dsl::Tensor stage(const std::string& name, const dsl::Tensor& from, std::int64_t extent,
                    bool is_sum) {
    const std::vector<std::int64_t> size = shape(extent);
    std::vector<dsl::Axis> axes;
    for (std::size_t k = 0; k < size.size(); ++k) {
      axes.push_back(
          dsl::make_axis(k == 0 ? "i" : "j", dsl::AxisKind::Spatial, 0, size[k], samples::at(2)));
    }
    const auto r = dsl::make_axis("r", dsl::AxisKind::Reduce, 0, 3, samples::at(2));
    const dsl::Expr extra = is_sum ? samples::value_of(r) : nullptr;
    dsl::Expr body = read(from, axes, extra);
    for (int k = pick(0, 3); k > 0; --k) {
      body = dsl::make_binary(BinaryOp::Add, body, read(chance(70) ? from : input_, axes, extra),
                              samples::at(2));
    }
    if (is_sum) body = dsl::make_reduce(ReduceOp::Sum, body, {r}, samples::at(2));
    return dsl::make_compute(size, axes, body, name, samples::at(2));
  }

  /// { S[x] -> T[e] } becomes { S[x] -> T[e + 1] } in the first dimension.
  static void shift(isl::map& map) {
    if (isl_ext::dim_count(map, isl_ext::Dim::Range) == 0) return;
    const isl::set all = isl::set::universe(map.range().space());
    isl::multi_pw_aff by = isl::multi_aff::identity_on_domain(all.space()).to_multi_pw_aff();
    by = by.set_at(0, by.at(0).add_constant(1));
    map = map.apply_range(by.as_map());
  }

  static void shift_origin(Statement& s) {
    if (s.origin && !s.origin->is_empty()) shift(*s.origin);
  }

  static void restrict(Statement& s, const isl::set& domain) {
    s.domain = domain;
    for (Write& write : s.writes) write.relation = write.relation.intersect_domain(domain);
    for (Operand& operand : s.reads) operand.relation = operand.relation.intersect_domain(domain);
    if (s.group) s.group = s.group->intersect_domain(domain);
    if (s.origin) s.origin = s.origin->intersect_domain(domain);
    for (Inlined& value : s.inlined) value.origin = value.origin.intersect_domain(domain);
  }

  void move(Order& order, const std::string& name) {
    auto& all = order.placements;
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const Placement& p) { return p.statement == name; });
    if (chance(50) && at + 1 != all.end()) {
      std::iter_swap(at, at + 1);
    } else if (at != all.begin()) {
      std::iter_swap(at, at - 1);
    }
  }

  std::mt19937 random_;
  std::size_t rank_ = 1;
  dsl::Tensor input_;
};

}  // namespace solway::schedule::testing
