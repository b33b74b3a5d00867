#include "schedule/tensorize.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "schedule/legality.h"
#include "schedule/pairings.h"
#include "schedule/region.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_box.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

/// The value of a function of a tuple at one point.
std::int64_t value_at(const isl::pw_aff& function, const std::vector<std::int64_t>& point) {
  isl::set at = isl::set::universe(function.space().domain());
  for (std::size_t k = 0; k < point.size(); ++k) {
    at = isl_ext::fix(at, static_cast<int>(k), point[k]);
  }
  return isl_ext::to_int64(function.as_map().intersect_domain(at).range().dim_min_val(0));
}

class Matcher {
 public:
  Matcher(const State& state, LoopId axis, const Intrinsic& intrinsic, const Request& request)
      : state_(state),
        axis_(axis),
        intrinsic_(intrinsic),
        request_(request),
        written_(make_state({intrinsic.tensor}, intrinsic.where)) {}

  IntrinsicMatch run() {
    find_intrinsic();
    find_statement();
    find_loops();
    find_instances();
    require_whole_box();
    const std::vector<Pairing> ways = pairings(*s_, *r_);
    if (ways.empty()) {
      refuse("the expressions differ",
             "the loops compute " + dsl::to_string(s_->writes[0].value) + ", the intrinsic " +
                 dsl::to_string(r_->writes[0].value),
             "give the intrinsic the expression of the stage");
    }
    std::string first;
    for (const Pairing& way : ways) {
      for (const std::vector<std::size_t>& order : orders_) {
        std::string why;
        if (auto operands = try_operands(order, way, why)) return {s_->name, std::move(*operands)};
        if (first.empty()) first = why;
      }
    }
    refuse("the accesses differ", first, "change the loops, or the indices of the intrinsic");
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError(
        {request_.where, request_.text + ": '" + intrinsic_.name + "' does not match: " + what, why,
         fix});
  }

  /// The one statement of the intrinsic; the initialisation of a reduction is left to the caller.
  void find_intrinsic() {
    for (const Placement& p : written_.order.placements) {
      const Statement& s = written_.program->statement(p.statement);
      if (s.kind == StatementKind::Init && s.group) continue;
      r_ = &s;
      ++statements_;
    }
    if (statements_ == 1 && r_->writes.size() == 1) return;
    throw UnsupportedError(
        {request_.where, request_.text + ": '" + intrinsic_.name + "' is more than one statement",
         "'" + intrinsic_.tensor->name + "' needs " + std::to_string(statements_) +
             " statements: a reduction inside an expression, a tuple, or other stages",
         "make intrinsics of one reduction, or of one expression without any"});
  }

  /// The one statement in the loops.
  void find_statement() {
    std::vector<const Placement*> inside, starts;
    for (const Placement& p : state_.order.placements) {
      if (std::find(p.path.begin(), p.path.end(), axis_) == p.path.end()) continue;
      const Statement& s = state_.program->statement(p.statement);
      (s.kind == StatementKind::Init && s.group ? starts : inside).push_back(&p);
    }
    // The start of a reduction may stand in copies of the loops, before it.
    for (const Placement* start : starts) {
      if (inside.empty() || stand_together(start->path, inside[0]->path)) inside.push_back(start);
    }
    std::string names;
    for (const Placement* p : inside) {
      names += (names.empty() ? "'" : ", '") + p->statement + "'";
    }
    if (!inside.empty()) {
      s_ = &state_.program->statement(inside[0]->statement);
      path_ = &inside[0]->path;
    }
    const std::string& loop = loop_name(state_, axis_);
    if (inside.size() != 1) {
      refuse("'" + loop + "' runs " + std::to_string(inside.size()) + " statements",
             "these are " + names + "; the intrinsic stands for one",
             "reorder so that initialisations and transfers stand outside");
    }
    if (s_->kind != r_->kind || s_->is_merge() || s_->reduce != r_->reduce || s_->combiner ||
        r_->combiner || s_->writes.size() != 1) {
      refuse("the statements are of different kinds",
             "one is a reduction that the other is not, or their operators differ",
             "give the intrinsic the operator of the stage");
    }
    for (const Operand& operand : s_->reads) {
      const std::string array = isl_ext::tuple_name(operand.relation, Dim::Range);
      if (operand.read && s_->writes_to(array)) {
        refuse("'" + array + "' is read and written",
               "code for an intrinsic takes its arrays to be apart", "leave the loops as they are");
      }
    }
    if (s_->kind == StatementKind::Compute && !s_->writes[0].relation.is_injective()) {
      refuse("the loops store an element more than once", "the last value counts",
             "leave the loops as they are");
    }
  }

  /// Whether two paths agree down to the loop.
  bool stand_together(const std::vector<LoopId>& a, const std::vector<LoopId>& b) const {
    const auto depth = std::find(a.begin(), a.end(), axis_) - a.begin() + 1;
    return static_cast<std::ptrdiff_t>(b.size()) >= depth &&
           std::equal(a.begin(), a.begin() + depth, b.begin());
  }

  /// The loops that the intrinsic runs, and the orders in which they may be its axes.
  void find_loops() {
    const auto at = std::find(path_->begin(), path_->end(), axis_);
    outer_ = static_cast<std::size_t>(at - path_->begin());
    for (std::size_t k = outer_; k < path_->size(); ++k) {
      const Loop& loop = state_.order.loop((*path_)[k]);
      if (loop.mark != LoopMark::Serial && loop.mark != LoopMark::Tensorized) {
        refuse("'" + loop.name + "' is marked", "the code runs its iterations in its own way",
               "leave the mark out");
      }
      if (loop.extent() != 1) inner_.push_back(k);
    }
    std::string axes, loops;
    for (std::size_t k = 0; k < r_->axes.size(); ++k) {
      const dsl::Axis& axis = r_->axes[k];
      if (axis->extent() == 1) continue;
      needed_.push_back(k);
      axes += (axes.empty() ? "" : ", ") + axis->name + " of " + std::to_string(axis->extent());
    }
    for (const std::size_t k : inner_) {
      const Loop& loop = state_.order.loop((*path_)[k]);
      loops += (loops.empty() ? "" : ", ") + loop.name + " of " + std::to_string(loop.extent());
    }
    std::vector<std::size_t> order(inner_.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    if (order.size() == needed_.size()) {
      do {
        if (fits(order)) orders_.push_back(order);
      } while (std::next_permutation(order.begin(), order.end()));
    }
    if (!orders_.empty()) return;
    refuse("the extents differ", "the loops are " + loops + "; the intrinsic has " + axes,
           "split the loops to these extents");
  }

  /// Whether loop order[k] may be axis k: of its extent and kind.
  bool fits(const std::vector<std::size_t>& order) const {
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Loop& loop = state_.order.loop((*path_)[inner_[order[k]]]);
      const dsl::Axis& axis = r_->axes[needed_[k]];
      if (loop.extent() != axis->extent() || loop.kind != axis->kind) return false;
    }
    return true;
  }

  void find_instances() {
    instances_ =
        values_of(state_, s_->name, *path_).as_map().intersect_domain(s_->domain).reverse();
  }

  /// All iterations of the inner loops run, wherever the outer ones stand.
  void require_whole_box() const {
    const isl::set all = instances_.domain();
    const auto rank = static_cast<int>(path_->size()), first = static_cast<int>(outer_);
    isl::set whole =
        isl_ext::insert_dims(isl_ext::project_out(all, first, rank - first), first, rank - first);
    for (int k = first; k < rank; ++k) {
      const Loop& loop = state_.order.loop((*path_)[static_cast<std::size_t>(k)]);
      whole = isl_ext::bound(whole, k, loop.begin, loop.end);
    }
    const isl::set missing = whole.subtract(all);
    const auto one = isl_ext::try_lexmin(missing);
    if (!one) return;
    std::string where;
    for (std::size_t k = 0; k < path_->size(); ++k) {
      where += (where.empty() ? "" : ", ") + loop_name(state_, (*path_)[k]) + "=" +
               std::to_string((*one)[k]);
    }
    refuse("its loops are not full everywhere", "nothing runs at " + where,
           "divide the stage with specialize, and tensorize the version of full tiles");
  }

  /// How an index of the statement changes with one step of each inner loop; nullopt: not by a
  /// constant. All iterations of these loops run.
  std::optional<std::vector<std::int64_t>> steps_of(const isl::pw_aff& index) {
    const isl::map over_loops = instances_.apply_range(index.as_map()).coalesce();
    const auto coefficients = isl_ext::try_coefficients(over_loops);
    const std::vector<bool> may_change = isl_ext::may_change_with(over_loops);
    std::vector<std::int64_t> out;
    for (const std::size_t loop : inner_) {
      std::optional<std::int64_t> step = 0;
      if (may_change[loop]) step = coefficients ? (*coefficients)[loop] : step_of(index, loop);
      if (!step) return std::nullopt;
      out.push_back(*step);
    }
    return out;
  }

  /// Of one loop around the statement.
  std::optional<std::int64_t> step_of(const isl::pw_aff& index, std::size_t loop) {
    const isl::map& pairs = neighbours_along(loop);
    const isl::pw_aff change = index.pullback(isl::multi_aff::range_map(pairs.space()))
                                   .sub(index.pullback(isl::multi_aff::domain_map(pairs.space())));
    const isl::set values = change.as_map().intersect_domain(pairs.wrap()).range();
    const auto low = isl_ext::try_dim_min(values, 0), high = isl_ext::try_dim_max(values, 0);
    return low && high && *low == *high ? low : std::nullopt;
  }

  /// { S[iteration] -> S[the next along the loop] }
  const isl::map& neighbours_along(std::size_t loop) {
    const auto known = neighbours_.find(loop);
    if (known != neighbours_.end()) return known->second;
    isl::set apart = isl::set::universe(instances_.domain().space());
    for (int k = 0; k < static_cast<int>(path_->size()); ++k) {
      apart = isl_ext::fix(apart, k, k == static_cast<int>(loop) ? 1 : 0);
    }
    const isl::map time = instances_.reverse();
    return neighbours_.emplace(loop, time.apply_range(apart.translation()).apply_range(instances_))
        .first->second;
  }

  /// Index `dim` of an access of the intrinsic: its value at iteration 0, and one step per axis.
  struct Line {
    std::int64_t start = 0;
    std::vector<std::int64_t> steps;
  };
  std::optional<Line> line_of(const isl::pw_aff& index) const {
    std::vector<std::int64_t> point;
    for (const dsl::Axis& axis : r_->axes) point.push_back(axis->begin);
    Line out;
    out.start = value_at(index, point);
    for (const std::size_t axis : needed_) {
      std::vector<std::int64_t> moved = point;
      ++moved[axis];
      out.steps.push_back(value_at(index, moved) - out.start);
    }
    return is_line(index, out) ? std::optional(out) : std::nullopt;
  }

  /// Whether an index of the intrinsic is start + the sum of steps everywhere.
  bool is_line(const isl::pw_aff& index, const Line& line) const {
    const isl::space space = r_->domain.space();
    isl::pw_aff sum = isl::set::universe(space).pw_aff_on_domain(static_cast<long>(line.start));
    for (std::size_t k = 0; k < needed_.size(); ++k) {
      const std::size_t axis = needed_[k];
      const isl::pw_aff value = isl::pw_aff(isl_ext::dim_on_domain(space, static_cast<int>(axis)))
                                    .add_constant(-static_cast<long>(r_->axes[axis]->begin))
                                    .scale(static_cast<long>(line.steps[k]));
      sum = sum.add(value);
    }
    return r_->domain.is_disjoint(index.ne_set(sum));
  }

  std::optional<std::vector<MatchedOperand>> try_operands(const std::vector<std::size_t>& order,
                                                          const Pairing& way, std::string& why) {
    Pairing in_order = way;  // of the intrinsic's operands
    std::stable_sort(in_order.begin(), in_order.end(),
                     [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<MatchedOperand> out;
    auto target = try_operand(order, intrinsic_.tensor->name, s_->writes[0].index,
                              s_->writes[0].relation, r_->writes[0].index, why);
    if (!target) return std::nullopt;
    out.push_back(std::move(*target));
    for (const auto& [own, other] : in_order) {
      const std::string name = isl_ext::tuple_name(r_->reads[other].relation, Dim::Range);
      auto one = try_operand(order, name, s_->reads[own].index, s_->reads[own].relation,
                             r_->reads[other].index, why);
      if (!one) return std::nullopt;
      one->read = own;
      const auto known = std::find_if(out.begin() + 1, out.end(),
                                      [&](const MatchedOperand& m) { return m.name == name; });
      if (known == out.end()) {
        out.push_back(std::move(*one));
      } else if (!is_same(*known, *one)) {
        why = "'" + name + "' would be two places of '" +
              isl_ext::tuple_name(s_->reads[own].relation, Dim::Range) + "'";
        return std::nullopt;
      }
    }
    return out;
  }

  /// Whether two reads of one tensor of the intrinsic lead to one element 0.
  bool is_same(const MatchedOperand& a, const MatchedOperand& b) const {
    const Operand& first = s_->reads[*a.read];
    const Operand& second = s_->reads[*b.read];
    if (a.steps != b.steps || isl_ext::tuple_name(first.relation, Dim::Range) !=
                                  isl_ext::tuple_name(second.relation, Dim::Range)) {
      return false;
    }
    for (std::size_t k = 0; k < a.offset.size(); ++k) {
      const auto dim = static_cast<int>(k);
      const isl::pw_aff apart = first.index.at(dim)
                                    .sub(second.index.at(dim))
                                    .add_constant(static_cast<long>(a.offset[k] - b.offset[k]));
      const isl::set zero = isl::set::universe(s_->domain.space());
      if (!s_->domain.is_disjoint(apart.ne_set(zero.pw_aff_on_domain(0)))) return false;
    }
    return true;
  }

  /// `index` into the statement's array as `wanted` into the intrinsic's.
  std::optional<MatchedOperand> try_operand(const std::vector<std::size_t>& order,
                                            const std::string& name, const isl::multi_pw_aff& index,
                                            const isl::map& relation,
                                            const isl::multi_pw_aff& wanted, std::string& why) {
    const std::string array = isl_ext::tuple_name(relation, Dim::Range);
    std::vector<Line> lines;
    for (unsigned d = 0; d < wanted.size(); ++d) {
      const auto line = line_of(wanted.at(static_cast<int>(d)));
      if (!line) {
        why = "index " + std::to_string(d) + " of '" + name + "' is no sum of axes";
        return std::nullopt;
      }
      lines.push_back(*line);
    }
    MatchedOperand out{name, std::nullopt, {}, {}};
    out.steps.assign(lines.size(), std::vector<std::int64_t>(index.size(), 0));
    out.offset.assign(index.size(), 0);
    for (unsigned k = 0; k < index.size(); ++k) {
      const auto steps = steps_of(index.at(static_cast<int>(k)));
      if (!steps) {
        why = "index " + std::to_string(k) + " of '" + array + "' does not change evenly";
        return std::nullopt;
      }
      if (!solve(order, lines, *steps, k, out)) {
        why = "index " + std::to_string(k) + " of '" + array + "' changes with the loops in " +
              "another way than '" + name + "' with the axes";
        return std::nullopt;
      }
    }
    return out;
  }

  /// Dimension `k` of the statement's array as a sum over the intrinsic's dimensions.
  bool solve(const std::vector<std::size_t>& order, const std::vector<Line>& lines,
             const std::vector<std::int64_t>& steps, std::size_t k, MatchedOperand& out) const {
    std::vector<std::int64_t> left;  // by axis: what no dimension accounts for yet
    for (std::size_t a = 0; a < needed_.size(); ++a) left.push_back(steps[order[a]]);
    for (std::size_t d = 0; d < lines.size(); ++d) {
      for (std::size_t a = 0; a < needed_.size(); ++a) {
        if (lines[d].steps[a] == 0 || !is_alone(lines, d, a)) continue;
        if (left[a] % lines[d].steps[a] != 0) return false;
        out.steps[d][k] = left[a] / lines[d].steps[a];
        break;
      }
      for (std::size_t a = 0; a < needed_.size(); ++a) {
        left[a] -= out.steps[d][k] * lines[d].steps[a];
      }
      out.offset[k] -= out.steps[d][k] * lines[d].start;
    }
    return std::all_of(left.begin(), left.end(), [](std::int64_t one) { return one == 0; });
  }

  /// Whether axis `a` is in no other index than `d`.
  static bool is_alone(const std::vector<Line>& lines, std::size_t d, std::size_t a) {
    for (std::size_t other = 0; other < lines.size(); ++other) {
      if (other != d && lines[other].steps[a] != 0) return false;
    }
    return true;
  }

  const State& state_;
  LoopId axis_;
  const Intrinsic& intrinsic_;
  const Request& request_;
  State written_;                 ///< the intrinsic's own program
  const Statement* r_ = nullptr;  ///< what the intrinsic computes
  int statements_ = 0;
  const Statement* s_ = nullptr;  ///< what the loops compute
  const std::vector<LoopId>* path_ = nullptr;
  std::size_t outer_ = 0;            ///< how many loops stand around
  std::vector<std::size_t> inner_;   ///< places in the path of loops of several iterations
  std::vector<std::size_t> needed_;  ///< axes of the intrinsic with several values
  /// Per way to match: which of `inner_` each of `needed_` is.
  std::vector<std::vector<std::size_t>> orders_;
  isl::map instances_;                          ///< { [values of all loops] -> S[iteration] }
  std::map<std::size_t, isl::map> neighbours_;  ///< by place in the path: neighbours_along
};

}  // namespace

IntrinsicMatch match_intrinsic(const State& state, LoopId axis, const Intrinsic& intrinsic,
                               const Request& request) {
  try {
    return Matcher(state, axis, intrinsic, request).run();
  } catch (const isl::exception_quota&) {
    throw undecided(request, kProgramBudget);
  }
}

void require_intrinsics(const State& state, const Request& request) {
  for (const auto& [id, loop] : state.order.loops) {
    if (loop.mark == LoopMark::Tensorized) match_intrinsic(state, id, *loop.intrinsic, request);
  }
}

State tensorize(const State& state, const std::string& stage, LoopId axis,
                const std::shared_ptr<const Intrinsic>& intrinsic, const SourceLoc& where) {
  require_loop(state, stage, axis, "tensorize", where);
  const Request request{"tensorize(" + loop_name(state, axis) + ", " + intrinsic->name + ")",
                        where};
  State out = state;
  Loop& loop = out.order.loops.at(axis);
  if (loop.mark != LoopMark::Serial) {
    throw ScheduleArgumentError({where, request.text + ": '" + loop.name + "' is marked already",
                                 "a loop runs in one way", "tensorize a loop without a mark"});
  }
  match_intrinsic(state, axis, *intrinsic, request);
  loop.mark = LoopMark::Tensorized;
  loop.marked_at = where;
  loop.intrinsic = intrinsic;
  if (!out.draft_of) require_marks_legal(out, request);
  out.log.push_back({"tensorize", stage, {{"", axis}}, {}, where});
  out.log.back().arguments.emplace_back(
      "",
      StepText{loop.intrinsic->is_micro_kernel ? "sw.micro_kernel()"
                                               : "intrinsics[\"" + loop.intrinsic->name + "\"]"});
  return out;
}

}  // namespace solway::schedule
