#include "driver/layout_choice.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "driver/fuse_stages.h"
#include "driver/product_epilogue.h"
#include "driver/refusal.h"
#include "memory_planner/body_model.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/scratchpad.h"
#include "schedule/draft.h"
#include "schedule/transform_layout.h"

namespace solway::driver {
namespace {

using memory_planner::Decision;
using memory_planner::DimModel;
using memory_planner::PlannedStage;
using memory_planner::TensorModel;
using schedule::State;
using Names = std::vector<std::string>;

/// A dimension that is to be the last one.
struct Move {
  std::string array;
  std::size_t dim = 0;
};

/// A loop along which elements are to lie side by side.
struct Candidate {
  int loop = 0;
  std::vector<Move> moves;  ///< of the tensors in which they do not yet
};

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool moves_with(const DimModel& dim, int loop) {
  return std::any_of(dim.terms.begin(), dim.terms.end(),
                     [&](const auto& term) { return term.loop == loop; });
}

class LayoutSearch {
 public:
  LayoutSearch(const State& state, const std::string& stage, const Target& target,
               const memory_planner::Room& room, memory_planner::PlanMemo& plans,
               const SourceLoc& where)
      : state_(state),
        stage_(stage),
        target_(target),
        room_(room),
        plans_(plans),
        where_(where),
        planned_(plans.stages().extract(state, stage)) {}

  std::optional<FormChoice> run() {
    const std::vector<Candidate> all = candidates();
    auto best = cheapest_form(all.size(), [&](std::size_t k) { return weigh(all[k]); });
    if (!best) return std::nullopt;
    FormChoice out{std::nullopt, stage_, std::move(best->decision)};
    if (best->pays) out.state = lay_out(state_, all[best->index]);
    return out;
  }

 private:
  const schedule::Program& program() const { return *state_.program; }

  std::vector<Candidate> candidates() {
    if (!is_plannable(state_, stage_, plans_) || planned_.model.is_nested) return {};
    const memory_planner::BodyModel body =
        memory_planner::model_body(state_, planned_.model, target_);
    lanes_ = body.lanes;
    if (!body.is_reduction || lanes_ <= 1) return {};
    std::vector<Candidate> out;
    for (int k = 0; k < static_cast<int>(planned_.model.loops.size()); ++k) {
      const memory_planner::LoopModel& loop = planned_.model.loops[static_cast<std::size_t>(k)];
      if (loop.kind != dsl::AxisKind::Spatial || loop.extent % lanes_ != 0) continue;
      auto moves = moves_for(k);
      if (moves && !moves->empty()) out.push_back({k, *std::move(moves)});
    }
    return out;
  }

  /// nullopt where a tensor has no dimension of its own for the loop.
  std::optional<std::vector<Move>> moves_for(int loop) const {
    std::vector<Move> out;
    for (const TensorModel& tensor : planned_.model.tensors) {
      std::optional<std::size_t> at;
      for (std::size_t k = 0; k < tensor.dims.size(); ++k) {
        const DimModel& dim = tensor.dims[k];
        if (!moves_with(dim, loop)) continue;
        const bool is_own = dim.terms.size() == 1 && dim.terms[0].growth == 1 && dim.base == 1;
        if (at || !is_own) return std::nullopt;
        at = k;
      }
      if (!at) continue;
      const std::vector<std::int64_t>& shape = program().array(tensor.name).shape;
      const bool is_last =
          std::all_of(shape.begin() + static_cast<std::ptrdiff_t>(*at) + 1, shape.end(),
                      [](std::int64_t extent) { return extent == 1; });
      if (!is_last) out.push_back({tensor.name, *at});
    }
    return out;
  }

  /// The stages whose cycles the layouts may change, in program order.
  Names concerned(const State& state, const Candidate& candidate) const {
    std::set<std::string> arrays;
    for (const Move& move : candidate.moves) arrays.insert(move.array);
    for (const TensorModel& tensor : planned_.model.tensors) arrays.insert(tensor.name);
    Names out;
    for (const dsl::Tensor& one : state.program->stages) {
      const Names statements = schedule::statements_of(state, one->name);
      const bool uses = std::any_of(statements.begin(), statements.end(), [&](const auto& name) {
        const schedule::Statement& s = state.program->statement(name);
        return std::any_of(arrays.begin(), arrays.end(), [&](const std::string& array) {
          return s.writes_to(array) || s.reads_from(array);
        });
      });
      const bool is_new = !program().has_stage(one);
      if (uses || is_new || one->name == stage_) out.push_back(one->name);
    }
    return out;
  }

  /// The candidate with the cycles of both sides; nullopt where it is out of the question.
  std::optional<Decision> weigh(const Candidate& candidate) {
    const Names before = concerned(state_, candidate);
    if (!std::all_of(before.begin(), before.end(),
                     [&](const auto& one) { return is_plannable(state_, one, plans_); })) {
      return std::nullopt;
    }
    const double now = expected_cycles(state_, before, target_, room_, plans_, where_);
    double least = least_computing(planned_.model, lanes_, target_);
    if (least > kWorthwhile * now) return std::nullopt;
    const auto laid_out = unless_refused(
        [&] { return std::optional<State>(lay_out(schedule::begin_draft(state_), candidate)); },
        [](const Error&) { return std::optional<State>(); });
    if (!laid_out) return std::nullopt;
    const Names after = concerned(*laid_out, candidate);
    for (const std::string& name : after) {
      if (!contains(before, name)) least += best_cycles(*laid_out, name, target_, room_, plans_);
    }
    if (least > kWorthwhile * now) return std::nullopt;
    const double then = expected_cycles(*laid_out, after, target_, room_, plans_, where_);
    return Decision{
        "layouts that " + stage_ + " uses", text_of(candidate), then, "as they are", now, ""};
  }

  State lay_out(const State& state, const Candidate& candidate) const {
    std::vector<schedule::LayoutRequest> requests;
    for (const Move& move : candidate.moves) requests.push_back(request(move));
    return schedule::transform_layouts(state, requests, where_);
  }

  /// Names of a tensor's dimensions: those of the loops that index them.
  Names dims_of(const Move& move) const {
    const auto& tensors = planned_.model.tensors;
    const auto tensor = std::find_if(tensors.begin(), tensors.end(),
                                     [&](const auto& one) { return one.name == move.array; });
    Names out;
    for (std::size_t k = 0; k < tensor->dims.size(); ++k) {
      const DimModel& dim = tensor->dims[k];
      std::string name = "d" + std::to_string(k);
      if (dim.terms.size() == 1) {
        const std::string& loop =
            planned_.model.loops[static_cast<std::size_t>(dim.terms[0].loop)].name;
        if (loop.find('.') == std::string::npos && !contains(out, loop)) name = loop;
      }
      out.push_back(name);
    }
    return out;
  }

  schedule::LayoutRequest request(const Move& move) const {
    const schedule::Array& array = program().array(move.array);
    schedule::LayoutRequest out;
    out.tensor = array.tensor;
    const Names names = dims_of(move);
    for (std::size_t k = 0; k < names.size(); ++k) {
      out.axes.push_back(
          dsl::make_axis(names[k], dsl::AxisKind::Spatial, 0, array.shape[k], where_));
    }
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (k != move.dim) out.index.push_back(dsl::make_axis_ref(out.axes[k], where_));
    }
    out.index.push_back(dsl::make_axis_ref(out.axes[move.dim], where_));
    return out;
  }

  /// "S[y, x, f], W[c, r, q, f]"
  std::string text_of(const Candidate& candidate) const {
    std::string out;
    for (const Move& move : candidate.moves) {
      Names names = dims_of(move);
      const auto at = names.begin() + static_cast<std::ptrdiff_t>(move.dim);
      std::rotate(at, at + 1, names.end());
      out += (out.empty() ? "" : ", ") + move.array + "[";
      for (std::size_t k = 0; k < names.size(); ++k) out += (k == 0 ? "" : ", ") + names[k];
      out += "]";
    }
    return out;
  }

  const State& state_;
  const std::string& stage_;
  const Target& target_;
  const memory_planner::Room& room_;
  memory_planner::PlanMemo& plans_;
  const SourceLoc& where_;
  PlannedStage planned_;
  int lanes_ = 1;
};

}  // namespace

std::optional<FormChoice> choose_layouts(const State& state, const std::string& stage,
                                         const Target& target, const memory_planner::Room& room,
                                         memory_planner::PlanMemo& plans, const SourceLoc& where) {
  if (!state.original->sizes.empty()) return std::nullopt;
  return LayoutSearch(state, stage, target, room, plans, where).run();
}

}  // namespace solway::driver
