#include "schedule/region.h"

#include <algorithm>

#include "dsl/affine.h"
#include "schedule/loop_paths.h"
#include "support/error.h"
#include "support/isl_box.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// { [l0, l1, ...] -> [value] } of the loops around the statement, for its instances in `domain`;
/// single-valued, because the loops name the instance.
isl::map over_loops(const State& state, const std::string& statement, const isl::pw_aff& function,
                    const isl::set& domain) {
  const isl::map loops =
      values_of(state, statement, state.order.placement_of(statement).path).as_map();
  const isl::map out = loops.intersect_domain(domain).reverse().apply_range(function.as_map());
  // Of loops that were split twice isl does not know yet that v = 4i + 2j + k.
  return (out.wrap().involves_locals() ? out.detect_equalities() : out).coalesce();
}

/// Whether `value` { [loops] -> [v] } changes when only the loops at `free` do: whether two points
/// that are else the same have values of which one is less.
bool changes_with(const isl::map& value, const std::vector<bool>& free) {
  const isl::set points = value.wrap();
  const auto last = static_cast<int>(free.size());
  isl::map pairs = isl_ext::order_lt(isl::map::universe(points.space().map_from_set()),
                                     isl_ext::Dim::Domain, last, isl_ext::Dim::Range, last);
  for (int at = 0; at < last; ++at) {
    if (free[static_cast<std::size_t>(at)]) continue;
    pairs = isl_ext::equate(pairs, isl_ext::Dim::Domain, at, isl_ext::Dim::Range, at);
  }
  return !pairs.intersect_domain(points).intersect_range(points).is_empty();
}

/// Whether the statement stands under every loop of the item.
bool is_under(const State& state, const std::string& statement, const RegionItem& item) {
  const std::set<LoopId> loops = loops_of(item);
  return std::all_of(loops.begin(), loops.end(),
                     [&](LoopId id) { return state.order.loop(id).value.count(statement) != 0; });
}

/// The loops around a statement on whose values a function of its instances in `domain` depends.
std::set<LoopId> loops_changing(const State& state, const std::string& statement,
                                const isl::pw_aff& function, const isl::set& domain) {
  const std::vector<LoopId>& path = state.order.placement_of(statement).path;
  const isl::map value = over_loops(state, statement, function, domain);
  const auto steps = isl_ext::try_steps_on_box(value);
  const std::vector<bool> may_change = isl_ext::may_change_with(value);
  const auto changes = [&](std::size_t k) {
    if (!may_change[k]) return false;
    if (steps) return (*steps)[k] != 0;
    std::vector<bool> free(path.size(), false);
    free[k] = true;
    return changes_with(value, free);
  };
  std::set<LoopId> out;
  for (std::size_t k = 0; k < path.size(); ++k) {
    if (changes(k)) out.insert(path[k]);
  }
  return out;
}

/// Whether the index of `dim` is written with the loop, even one of a single iteration, which
/// changes nothing.
bool names_a_dimension(const State& state, const Access& access, LoopId loop, int dim) {
  const isl::set all =
      isl::set::universe(state.program->statement(access.statement).domain.space());
  return loops_changing(state, access.statement, access.index.at(dim), all).count(loop) != 0;
}

/// The value of a region's expression in each instance of a statement.
isl::pw_aff value_of(const State& state, const std::string& statement, const RegionItem& item) {
  dsl::AffineScope scope{"R", {}};
  std::vector<LoopId> loops;
  for (const auto& [axis, loop] : item.axes) {
    scope.axes.push_back(axis);
    loops.push_back(loop);
  }
  const auto value = dsl::try_affine(state.program->ctx(), item.index, scope);
  if (!value) {
    throw ScheduleArgumentError(
        {item.index->where, "'" + dsl::to_string(item.index) + "' is no region",
         "it is not affine in the axes", "pass axes, or sums of axes with constant factors"});
  }
  return value->pullback(values_of(state, statement, loops).set_range_tuple("R"));
}

std::string reference_to(LoopId loop) { return "{" + std::to_string(loop) + "}"; }

/// The expression with every axis named as the loop that it is, "{3}", and every size as one of the
/// schedule, "{sizes.n}".
dsl::Expr with_references(const dsl::Expr& expr, const RegionItem& item) {
  auto out = std::make_shared<dsl::ExprNode>(*expr);
  for (dsl::Expr& operand : out->operands) operand = with_references(operand, item);
  if (out->size) {
    auto named = std::make_shared<dsl::SizeNode>(*out->size);
    named->name = "{sizes." + named->name + "}";
    out->size = std::move(named);
  }
  for (const auto& [axis, loop] : item.axes) {
    if (out->axis != axis) continue;
    auto named = std::make_shared<dsl::AxisNode>(*axis);
    named->name = reference_to(loop);
    out->axis = std::move(named);
    break;
  }
  return out;
}

/// Operands, by statement and position among those.
using Operands = std::set<std::pair<std::string, std::size_t>>;

/// Those of some references; nullopt: all.
std::optional<Operands> operands_of(const State& state, const std::string& stage,
                                    const std::string& tensor, const ReferenceNumbers& references) {
  if (!references) return std::nullopt;
  const std::vector<Reference> all = references_of(state, stage, tensor);
  Operands out;
  for (const int number : *references) {
    const auto& own = all.at(static_cast<std::size_t>(number)).operands;
    out.insert(own.begin(), own.end());
  }
  return out;
}

}  // namespace

StepText step_text(const Region& region) {
  StepText out{"["};
  for (const RegionItem& item : region) {
    if (out.text.size() > 1) out.text += ", ";
    out.text += item.loop >= 0 ? reference_to(item.loop)
                               : dsl::to_string(with_references(item.index, item));
  }
  out.text += "]";
  return out;
}

StepText step_text(const dsl::Expr& expr) { return {dsl::to_string(with_references(expr, {}))}; }

std::string to_string(const State& state, const RegionItem& item) {
  return item.loop >= 0 ? loop_name(state, item.loop) : dsl::to_string(item.index);
}

std::string to_string(const State& state, const Region& region) {
  std::string out = "[";
  for (const RegionItem& item : region) {
    out += (out.size() == 1 ? "" : ", ") + to_string(state, item);
  }
  return out + "]";
}

std::set<LoopId> loops_of(const RegionItem& item) {
  std::set<LoopId> out;
  if (item.loop >= 0) out.insert(item.loop);
  for (const auto& [axis, loop] : item.axes) out.insert(loop);
  return out;
}

std::vector<Access> accesses_of(const State& state, const std::string& stage,
                                const std::string& tensor, AccessKind kind,
                                const ReferenceNumbers& references) {
  const std::optional<Operands> wanted = operands_of(state, stage, tensor, references);
  std::vector<Access> out;
  for (const std::string& name : statements_of(state, stage)) {
    const Statement& s = state.program->statement(name);
    if (s.serves_buffer()) continue;
    for (std::size_t k = 0; k < s.writes.size() && kind == AccessKind::Writes; ++k) {
      if (isl_ext::tuple_name(s.writes[k].relation, isl_ext::Dim::Range) != tensor) continue;
      out.push_back({name, true, k, s.writes[k].relation, s.writes[k].index});
    }
    for (std::size_t k = 0; k < s.reads.size(); ++k) {
      if (isl_ext::tuple_name(s.reads[k].relation, isl_ext::Dim::Range) != tensor) continue;
      if (wanted && wanted->count({name, k}) == 0) continue;
      out.push_back({name, false, k, s.reads[k].relation, s.reads[k].index});
    }
  }
  return out;
}

isl::multi_pw_aff values_of(const State& state, const std::string& statement,
                            const std::vector<LoopId>& loops) {
  isl::multi_pw_aff out;
  for (const LoopId id : loops) {
    const isl::multi_pw_aff one = state.order.loop(id).value.at(statement).to_multi_pw_aff();
    out = out.is_null() ? one : out.flat_range_product(one);
  }
  if (!out.is_null()) return out;
  const isl::space space = state.program->statement(statement).domain.space();
  return isl::multi_pw_aff::zero(space.add_unnamed_tuple(0));
}

std::set<LoopId> dependent_loops(const State& state, const std::string& statement,
                                 const isl::pw_aff& function) {
  return loops_changing(state, statement, function, state.program->statement(statement).domain);
}

std::vector<std::set<LoopId>> dependent_loops(const State& state,
                                              const std::vector<Access>& accesses) {
  std::vector<std::set<LoopId>> out;
  for (const Access& access : accesses) {
    out.resize(access.index.size());
    for (unsigned k = 0; k < access.index.size(); ++k) {
      const auto loops =
          dependent_loops(state, access.statement, access.index.at(static_cast<int>(k)));
      out[k].insert(loops.begin(), loops.end());
    }
  }
  return out;
}

bool matches(const State& state, const std::vector<Access>& accesses, const RegionItem& item,
             int dim, const std::vector<LoopId>& inside) {
  for (const Access& access : accesses) {
    const isl::pw_aff index = access.index.at(dim);
    if (item.loop >= 0) {
      if (names_a_dimension(state, access, item.loop, dim)) return true;
      continue;
    }
    if (!is_under(state, access.statement, item)) return false;
    const isl::pw_aff rest = index.sub(value_of(state, access.statement, item));
    const isl::set& domain = state.program->statement(access.statement).domain;
    const std::vector<LoopId>& path = state.order.placement_of(access.statement).path;
    std::vector<bool> free;
    for (const LoopId id : path) free.push_back(contains(inside, id));
    if (changes_with(over_loops(state, access.statement, rest, domain), free)) return false;
  }
  return item.loop < 0;
}

}  // namespace solway::schedule
