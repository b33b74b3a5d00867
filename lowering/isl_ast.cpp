#include "lowering/isl_ast.h"

#include <algorithm>
#include <set>

#include "dsl/affine.h"
#include "lowering/cut_tails.h"
#include "lowering/widened_domains.h"
#include "schedule/buffer_slots.h"
#include "schedule/isl_tree.h"
#include "schedule/panels.h"
#include "schedule/sizes.h"
#include "schedule/transfer_rows.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::lowering {
namespace {

using schedule::LoopId;
using schedule::State;

/// The loop of one iteration that gives each dimension of the statement's domain its value; -1
/// where there is no such loop.
std::vector<LoopId> unit_loops_of(const State& state, const schedule::Statement& statement) {
  const isl::space space = statement.domain.space();
  std::vector<LoopId> out(
      static_cast<std::size_t>(isl_ext::dim_count(statement.domain, isl_ext::Dim::Range)), -1);
  for (const LoopId id : state.order.placement_of(statement.name).path) {
    const schedule::Loop& loop = state.order.loop(id);
    if (loop.extent() != 1) continue;
    for (std::size_t k = 0; k < out.size(); ++k) {
      const isl::pw_aff dim(isl_ext::dim_on_domain(space, static_cast<int>(k)));
      if (loop.value.at(statement.name).plain_is_equal(dim)) out[k] = id;
    }
  }
  return out;
}

/// The loop of one iteration around a transfer along which the users of its buffer index dimension
/// `dim` of the tensor, as they were written; -1 when there is none. The box of the transfer holds
/// the only value.
LoopId unit_loop_along(const State& state, const schedule::Statement& transfer, int dim) {
  const schedule::Buffer& buffer = state.program->buffers.at(transfer.copy->buffer);
  const std::vector<LoopId>& around = state.order.placement_of(transfer.name).path;
  for (const std::string& name : schedule::statements_of(state, buffer.stage)) {
    const auto user = state.original->statements.find(name);
    if (user == state.original->statements.end()) continue;
    const schedule::Statement& s = user->second;
    const std::vector<LoopId> loops = unit_loops_of(state, s);
    std::vector<isl::pw_aff> indices;
    const auto add = [&](const isl::map& relation, const isl::multi_pw_aff& index) {
      // In another layout the tensor may have more dimensions than the user indexed.
      if (relation.get_range_tuple_id().name() != buffer.tensor) return;
      if (dim < static_cast<int>(index.size())) indices.push_back(index.at(dim));
    };
    for (const schedule::Write& write : s.writes) add(write.relation, write.index);
    for (const schedule::Operand& operand : s.reads) add(operand.relation, operand.index);
    for (std::size_t k = 0; k < loops.size(); ++k) {
      if (std::find(around.begin(), around.end(), loops[k]) == around.end()) continue;
      const isl::pw_aff axis(isl_ext::dim_on_domain(s.domain.space(), static_cast<int>(k)));
      const auto is_axis = [&](const isl::pw_aff& index) { return index.plain_is_equal(axis); };
      if (std::any_of(indices.begin(), indices.end(), is_axis)) return loops[k];
    }
  }
  return -1;
}

/// The loops that run longer than their range, for statements that run early or late.
std::set<LoopId> pipelined_loops(const schedule::Order& order) {
  std::set<LoopId> out;
  for (const schedule::Placement& p : order.placements) {
    if (p.delay != 0) out.insert(p.delayed_loops().front());
  }
  return out;
}

/// Expressions at one user node.
class InstanceBuilder {
 public:
  InstanceBuilder(const isl::ast_build& build, const State& state,
                  const std::set<LoopId>& pipelined)
      : build_(build), state_(state), pipelined_(pipelined) {
    const isl::map schedule = build.schedule().as_map();
    iterators_ = schedule.range();
    instance_ = schedule.reverse().as_pw_multi_aff().to_multi_pw_aff();
    out_.statement = &state.program->statement(schedule.get_domain_tuple_id().name());
    out_.instances = schedule.domain();
    const std::vector<LoopId> unit_loops = unit_loops_of(state, *out_.statement);
    for (std::size_t k = 0; k < unit_loops.size(); ++k) {
      if (unit_loops[k] < 0) continue;
      instance_ = instance_.set_at(static_cast<int>(k), identifier_of(unit_loops[k]));
    }
  }

  /// Whether each loop around the statement is one of its schedule: in a loop more isl looks for
  /// the instance. Loops of one iteration are not among them, but for those that run longer.
  bool is_found() const {
    const auto dims = isl_ext::dim_count(iterators_, isl_ext::Dim::Range);
    const std::vector<LoopId>& path = state_.order.placement_of(out_.statement->name).path;
    return dims <= std::count_if(path.begin(), path.end(), [&](LoopId id) {
             return state_.order.loop(id).extent() != 1 || pipelined_.count(id) != 0;
           });
  }

  const std::string& statement() const { return out_.statement->name; }

  /// `guard` is { S[iteration] } where it runs; null: in all of its loops.
  InstanceExprs run(const isl::set& guard) {
    if (!guard.is_null()) out_.instances = out_.instances.intersect(guard);
    if (!guard.is_null()) out_.guard = build_.expr_from(guard_in_iterators(guard));
    const schedule::Statement& s = *out_.statement;
    if (s.is_transfer() && !s.copy->rows.empty()) out_.rows = row_exprs(*s.copy);
    if (s.kind == schedule::StatementKind::Complete) {
      const schedule::Buffer& buffer = state_.program->buffers.at(s.copy->buffer);
      if (buffer.depth > 1) {
        out_.near_first = {in_iterators(s.copy->near_first, s.copy->buffer).front()};
      }
      if (schedule::has_panels(buffer)) out_.count = counts_of(*s.copy);
      return out_;
    }
    if (s.kind == schedule::StatementKind::Issue) {
      out_.count = counts_of(*s.copy);
      isl_ext::AstSettings settings;
      settings.detect_min_max = true;
      const isl_ext::AstOptionScope options(build_.ctx(), settings);
      out_.first = in_iterators(s.copy->first);
      for (std::size_t d = 0; d < out_.first.size(); ++d) {
        const LoopId loop = unit_loop_along(state_, s, static_cast<int>(d));
        if (loop >= 0 && is_always(s.copy->first.at(static_cast<int>(d)), loop)) {
          out_.first[d] = build_.expr_from(identifier_of(loop));
        }
      }
      out_.near_first = in_iterators(s.copy->near_first, s.copy->buffer);
      return out_;
    }
    for (unsigned k = 0; k < instance_.size(); ++k) {
      out_.iteration.push_back(build_.expr_from(instance_.at(static_cast<int>(k))));
    }
    for (const schedule::Write& write : s.writes) {
      out_.writes.push_back(in_iterators(write.index, array_of(write.relation)));
    }
    for (const schedule::Operand& operand : s.reads) {
      out_.reads.push_back(in_iterators(operand.index, array_of(operand.relation)));
    }
    return out_;
  }

 private:
  RowExprs row_exprs(const schedule::Copy& copy) const {
    isl_ext::AstSettings settings;
    settings.detect_min_max = true;
    const isl_ext::AstOptionScope options(build_.ctx(), settings);
    const schedule::TransferRows rows =
        schedule::rows_of(copy, state_.program->buffers.at(copy.buffer));
    RowExprs out;
    isl::multi_pw_aff at = instance_.reset_range_tuple_id();  // and the indices of rows before
    const auto expr = [&](const isl::pw_aff& value) {
      return build_.expr_from(value.pullback(at).coalesce());
    };
    for (std::size_t k = 0; k < rows.ranges.size(); ++k) {
      out.begins.push_back(expr(rows.ranges[k].begin));
      out.ends.push_back(expr(rows.ranges[k].end));
      const isl::pw_aff index = instance_.space().domain().param_aff_on_domain(row_name(k));
      at = at.flat_range_product(index.to_multi_pw_aff());
    }
    const auto all = [&](const isl::multi_pw_aff& values, std::vector<isl::ast_expr>& to) {
      for (unsigned k = 0; k < values.size(); ++k)
        to.push_back(expr(values.at(static_cast<int>(k))));
    };
    all(rows.first, out.first);
    all(rows.count, out.count);
    all(rows.near_first, out.near_first);
    const isl::set whole = rows.whole.intersect(out_.instances);
    if (!whole.is_empty()) out.whole = build_.expr_from(guard_in_iterators(whole));
    return out;
  }

  /// { [iterators] } where the instance is one of `guard`.
  isl::set guard_in_iterators(const isl::set& guard) const {
    const isl::set exact = guard.apply(build_.schedule().as_map()).coalesce().gist(iterators_);
    return exact.is_empty() ? exact : exact.to_union_set().compute_divs().as_set();
  }

  /// Minima of a tile and what is left.
  std::vector<isl::ast_expr> counts_of(const schedule::Copy& copy) const {
    isl_ext::AstSettings settings;
    settings.detect_min_max = true;
    const isl_ext::AstOptionScope options(build_.ctx(), settings);
    return in_iterators(copy.count);
  }

  /// Whether `value` is the one value that a loop of one iteration has. Another access of the same
  /// dimension may make the box larger.
  bool is_always(const isl::pw_aff& value, LoopId loop) const {
    const auto begin = static_cast<long>(state_.order.loop(loop).begin);
    return value.ne_set(isl::set::universe(value.domain().space()).pw_aff_on_domain(begin))
        .is_empty();
  }

  /// { [iterators] -> [the value of the loop] }
  isl::pw_aff identifier_of(LoopId loop) const {
    return instance_.space().domain().param_aff_on_domain(unit_loop_name(loop));
  }

  static std::string array_of(const isl::map& access) {
    return isl_ext::tuple_name(access, isl_ext::Dim::Range);
  }

  /// `array` is what the index leads into.
  std::vector<isl::ast_expr> in_iterators(const isl::multi_pw_aff& index,
                                          const std::string& array = "") const {
    std::vector<isl::ast_expr> out;
    const auto buffer = state_.program->buffers.find(array);
    const bool has_slots = buffer != state_.program->buffers.end() && buffer->second.depth > 1;
    for (unsigned k = 0; k < index.size(); ++k) {
      isl::pw_aff value = index.at(static_cast<int>(k)).pullback(instance_);
      if (k == 0 && has_slots) value = slot_of_loop(value, buffer->second);
      out.push_back(build_.expr_from(value));
    }
    return out;
  }

  /// The slot as a function of the loops that number it, where that is what `slot` says: isl
  /// itself counts in what the loops of the statement were split from.
  isl::pw_aff slot_of_loop(const isl::pw_aff& slot, const schedule::Buffer& buffer) const {
    const schedule::Placement& own = state_.order.placement_of(out_.statement->name);
    const std::vector<LoopId> loops =
        schedule::turning_loops(*state_.program, state_.order, buffer);
    const std::vector<std::int64_t> weights =
        schedule::turn_weights(state_.order, loops, buffer.depth);
    const auto dims = static_cast<std::size_t>(isl_ext::dim_count(iterators_, isl_ext::Dim::Range));
    if (dims != own.path.size()) return slot;
    isl::pw_aff number;
    for (std::size_t k = loops.size(); k-- > 0;) {
      const auto at = std::find(own.path.begin(), own.path.end(), loops[k]);
      if (at == own.path.end()) return slot;
      if (weights[k] == 0) continue;
      const bool is_innermost = k + 1 == loops.size();
      const std::int64_t delay = is_innermost && loops[k] == own.path.back() ? own.delay : 0;
      const std::int64_t begin = state_.order.loop(loops[k]).begin + delay;
      const isl::pw_aff one =
          isl::pw_aff(
              isl_ext::dim_on_domain(iterators_.space(), static_cast<int>(at - own.path.begin())))
              .add_constant(-static_cast<long>(begin))
              .scale(static_cast<long>(weights[k]));
      number = number.is_null() ? one : number.add(one);
    }
    const isl::pw_aff simple = number.mod(static_cast<long>(buffer.depth));
    return slot.ne_set(simple).intersect(iterators_).is_empty() ? simple : slot;
  }

  const isl::ast_build& build_;
  const State& state_;
  const std::set<LoopId>& pipelined_;
  isl::set iterators_;          ///< { [iterators] }
  isl::multi_pw_aff instance_;  ///< { [iterators] -> S[iteration] }
  InstanceExprs out_;
};

/// The loops that fill borders alone: what lies between their parts is no iteration of a loop.
std::set<LoopId> border_loops(const State& state) {
  std::set<LoopId> out;
  for (const auto& [name, buffer] : state.program->buffers) {
    if (buffer.memory.empty()) continue;
    const std::vector<LoopId>& path = state.order.placement_of(buffer.tensor).path;
    const std::size_t around = state.order.placement_of(name + "_get_issue").path.size();
    out.insert(path.begin() + static_cast<std::ptrdiff_t>(around), path.end());
  }
  return out;
}

int bands_around(isl::schedule_node node) {
  int out = 0;
  while (node.has_parent()) {
    node = node.parent();
    if (node.isa<isl::schedule_node_band>()) ++out;
  }
  return out;
}

/// Each band becomes one loop, but for those that fill borders: several. What a pipelined loop does
/// outside of its range, first issues and last waits, stands before and after it.
isl::schedule_node with_ast_options(const isl::schedule_node& node, const State& state,
                                    const std::set<LoopId>& pipelined,
                                    const std::set<LoopId>& borders) {
  if (!node.isa<isl::schedule_node_band>()) return node;
  const auto band = node.as<isl::schedule_node_band>();
  const LoopId id = loop_of_mark(isl_ext::mark_id(node.parent()));
  if (borders.count(id) != 0) return isl::schedule_node(band.member_set_ast_loop_separate(0));
  if (pipelined.count(id) == 0) return isl::schedule_node(band.member_set_ast_loop_atomic(0));
  const schedule::Loop& loop = state.order.loop(id);
  std::string outer;
  for (int k = 0; k < bands_around(node); ++k) outer += (k == 0 ? "o" : ", o") + std::to_string(k);
  const std::string range =
      " : " + std::to_string(loop.begin) + " <= x < " + std::to_string(loop.end);
  return isl::schedule_node(band.set_ast_build_options(isl::union_set(
      node.ctx(),
      "{ isolate[[" + outer + "] -> [x]]" + range + "; atomic[x]; [isolate[] -> atomic[x]] }")));
}

/// A build that knows the identifiers of the loops of one iteration, and of rows of transfers.
isl::ast_build build_for(const State& state) {
  isl::space space = isl::space::unit(state.program->ctx());
  for (const auto& [id, loop] : state.order.loops) {
    if (loop.extent() == 1) space = space.add_param(unit_loop_name(id));
  }
  std::size_t rows = 0;
  for (const auto& [name, s] : state.program->statements) {
    if (s.copy) rows = std::max(rows, s.copy->rows.size());
  }
  for (std::size_t k = 0; k < rows; ++k) space = space.add_param(row_name(k));
  return isl::ast_build::from_context(
      isl::set::universe(space).intersect_params(schedule::context_of(*state.program)));
}

using Domains = std::map<std::string, isl::set>;

/// Loops of `domains`. `guards` has the exact domains of those statements that run in larger ones;
/// `lost` gets those of which isl does not find the instances.
Ast ast_of(const State& state, const Domains& domains, const Domains& guards, Statements statements,
           std::set<std::string>& lost) {
  const isl::schedule tree = schedule::isl_tree_of(state.program->ctx(), state.order, domains);
  const std::set<LoopId> pipelined = pipelined_loops(state.order);
  const std::set<LoopId> borders = border_loops(state);
  const isl::schedule atomic = tree.root()
                                   .map_descendant_bottom_up([&](const isl::schedule_node& node) {
                                     return with_ast_options(node, state, pipelined, borders);
                                   })
                                   .schedule();
  Ast out;
  const isl::ast_build build = build_for(state).set_at_each_domain([&](const isl::ast_node& node,
                                                                       const isl::ast_build& at) {
    const std::string key = "instance_" + std::to_string(out.instances.size());
    InstanceBuilder instance(at, state, pipelined);
    if (!instance.is_found()) lost.insert(instance.statement());
    const auto guard = guards.find(instance.statement());
    out.instances.emplace(key, instance.run(guard == guards.end() ? isl::set() : guard->second));
    return isl_ext::annotate(node, key);
  });
  isl_ext::AstSettings settings;
  settings.group_coscheduled = statements == Statements::InLoops;
  const isl_ext::AstOptionScope options(state.program->ctx(), settings);
  out.root = build.node_from(cut_tails(state, atomic));
  return out;
}

/// The same; nullopt when isl 0.25 fails ("unknown divs"), as it does for the conditions of some
/// unions under fused loops: `lost` then has the statements with such domains.
std::optional<Ast> try_ast(const State& state, const Domains& domains, const Domains& guards,
                           Statements statements, std::set<std::string>& lost) {
  try {
    return ast_of(state, domains, guards, statements, lost);
  } catch (const isl::exception_invalid&) {
    lost.clear();
    for (const auto& [name, domain] : domains) {
      if (domain.n_basic_set() > 1) lost.insert(name);
    }
    if (lost.empty()) throw;
    return std::nullopt;
  }
}

}  // namespace

LoopId loop_of_mark(const isl::id& mark) {
  const std::string prefix = "loop_";
  return std::stoi(mark.name().substr(prefix.size()));
}

std::string unit_loop_name(LoopId id) { return "loop_" + std::to_string(id); }

std::string row_name(std::size_t k) { return "transfer_row_" + std::to_string(k); }

Ast make_ast(const schedule::State& state, Statements statements) {
  const Domains exact = state.program->domains();
  Domains domains = exact;
  Domains guards;
  std::map<std::string, std::vector<isl::set>> widened;
  while (true) {
    std::set<std::string> lost;
    std::optional<Ast> out = try_ast(state, domains, guards, statements, lost);
    if (out && lost.empty()) return *out;
    for (const std::string& name : lost) {
      const auto [left, is_new] = widened.emplace(name, std::vector<isl::set>{});
      if (is_new) left->second = widened_domains(state, name);
      if (left->second.empty()) {
        throw InternalError({{}, "no loops find the instances of '" + name + "'", "", ""});
      }
      domains[name] = left->second.front();
      guards[name] = exact.at(name);
      left->second.erase(left->second.begin());
    }
  }
}

}  // namespace solway::lowering
