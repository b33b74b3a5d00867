#include "schedule/order.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "schedule/fusion.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

/// Appends the tree of placements[begin, end), whose paths agree in the first `depth` loops.
void append_children(const Order& order, std::size_t begin, std::size_t end, std::size_t depth,
                     std::vector<TreeNode>& out) {
  for (std::size_t k = begin; k < end;) {
    const Placement& p = order.placements[k];
    if (p.path.size() == depth) {
      TreeNode leaf;
      leaf.statement = p.statement;
      out.push_back(std::move(leaf));
      ++k;
      continue;
    }
    const LoopId id = p.path[depth];
    std::size_t last = k + 1;
    while (last < end && order.placements[last].path.size() > depth &&
           order.placements[last].path[depth] == id) {
      ++last;
    }
    TreeNode node;
    node.loop = id;
    append_children(order, k, last, depth + 1, node.children);
    out.push_back(std::move(node));
    k = last;
  }
}

/// One step of the way from the root to a statement.
struct TimeStep {
  long position;       ///< among the children of the node above
  LoopId loop;         ///< -1 at the statement itself
  bool is_only_child;  ///< of the node above
};

void collect_steps(const TreeNode& node, std::vector<TimeStep>& way,
                   std::map<std::string, std::vector<TimeStep>>& out) {
  long position = 0;
  for (const TreeNode& child : node.children) {
    way.push_back({position++, child.loop, node.children.size() == 1});
    if (child.statement.empty()) {
      collect_steps(child, way, out);
    } else {
      out.emplace(child.statement, way);
    }
    way.pop_back();
  }
}

std::map<std::string, std::vector<TimeStep>> steps_of(const Order& order) {
  std::map<std::string, std::vector<TimeStep>> out;
  std::vector<TimeStep> way;
  collect_steps(tree_of(order), way, out);
  return out;
}

isl::pw_aff constant_on(const isl::set& domain, long value) {
  return isl::set::universe(domain.space()).pw_aff_on_domain(value);
}

/// { S[iteration] -> [columns] }
isl::map columns_map(const isl::set& domain, const std::vector<isl::pw_aff>& columns) {
  const auto count = static_cast<unsigned>(columns.size());
  const isl::space space = columns.front().space().domain().add_unnamed_tuple(count);
  const bool is_affine =
      std::all_of(columns.begin(), columns.end(), [](const auto& one) { return one.isa_aff(); });
  if (is_affine) {
    isl::aff_list all(domain.ctx(), static_cast<int>(count));
    for (const isl::pw_aff& one : columns) all = all.add(one.as_aff());
    return isl::multi_aff(space, all).as_map().intersect_domain(domain);
  }
  isl::pw_aff_list all(domain.ctx(), static_cast<int>(count));
  for (const isl::pw_aff& one : columns) all = all.add(one);
  return isl::multi_pw_aff(space, all).as_map().intersect_domain(domain);
}

/// The columns that say when instances run. Fused loops, and what was split from them, have those
/// of the coordinates that they count: these are in the same order, and affine.
class TimeColumns {
 public:
  TimeColumns(const Order& order, const std::map<std::string, isl::set>& domains)
      : order_(order), domains_(domains) {}

  /// Appends the columns of the first `end` steps of the way to statement `name`.
  void append(const std::string& name, const std::vector<TimeStep>& way, std::size_t end,
              std::vector<isl::pw_aff>& columns) {
    for (std::size_t k = 0; k < end; ++k) {
      append_constant(name, way[k].position, columns);
      if (way[k].loop < 0) {
        append_constant(name, 0, columns);
        continue;
      }
      std::size_t last = run_end(way, k, end);
      while (last > k && run_of(way, k, last) == nullptr) --last;
      append_values(name, run_of(way, k, last), way[last].loop, columns);
      k = last;
    }
  }

  void append_constant(const std::string& name, long value, std::vector<isl::pw_aff>& columns) {
    columns.push_back(constant_on(domains_.at(name), value));
  }

  /// Appends the value of one loop.
  void append_loop(const std::string& name, const TimeStep& step,
                   std::vector<isl::pw_aff>& columns) {
    append_values(name, run_of({step}, 0, 0), step.loop, columns);
  }

 private:
  /// The last step of the fused loops from step `begin` with nothing between them.
  std::size_t run_end(const std::vector<TimeStep>& way, std::size_t begin, std::size_t end) const {
    std::size_t last = begin;
    const int fusion = order_.loop(way[begin].loop).fused.fusion;
    while (fusion >= 0 && last + 1 < end && way[last + 1].loop >= 0 &&
           way[last + 1].is_only_child && order_.loop(way[last + 1].loop).fused.fusion == fusion) {
      ++last;
    }
    return last;
  }

  /// The loops of steps begin to last as digits of one number; null when they do not count one in
  /// all that they run.
  const FusedLoops* run_of(const std::vector<TimeStep>& way, std::size_t begin, std::size_t last) {
    std::vector<LoopId> loops;
    for (std::size_t k = last + 1; k-- > begin;) loops.push_back(way[k].loop);
    const auto [known, is_new] = runs_.emplace(loops, std::nullopt);
    if (is_new) known->second = find_run(loops);
    return known->second ? &*known->second : nullptr;
  }

  std::optional<FusedLoops> find_run(const std::vector<LoopId>& loops) const {
    auto out = fused_loops(order_, loops);
    if (!out) return std::nullopt;
    for (const Placement& p : order_.placements) {
      // A loop may stand at several places, under other loops that a fission made.
      const bool is_inside = std::all_of(loops.begin(), loops.end(), [&](LoopId id) {
        return std::find(p.path.begin(), p.path.end(), id) != p.path.end();
      });
      if (!is_inside) continue;
      const std::vector<LoopId> delayed = p.delayed_loops();
      const bool is_late =
          p.delay != 0 && std::find_first_of(delayed.begin(), delayed.end(), loops.begin(),
                                             loops.end()) != delayed.end();
      const auto domain = domains_.find(p.statement);
      if (is_late || domain == domains_.end()) return std::nullopt;
      if (!counts(order_, *out, p.statement, domain->second)) return std::nullopt;
    }
    return out;
  }

  void append_values(const std::string& name, const FusedLoops* run, LoopId loop,
                     std::vector<isl::pw_aff>& columns) const {
    if (run == nullptr) {
      columns.push_back(order_.value_of(loop, name));
      return;
    }
    const Fusion& fusion = order_.fusions[static_cast<std::size_t>(run->fusion)];
    for (const Digit& digit : run->digits) {
      columns.push_back(value_of(digit, fusion[digit.coordinate].value.at(name)));
    }
  }

  const Order& order_;
  const std::map<std::string, isl::set>& domains_;
  std::map<std::vector<LoopId>, std::optional<FusedLoops>> runs_;
};

/// The iterations of a loop, of which one without any may have one: nothing runs in it.
long turns_of(const Loop& loop) { return std::max(1L, static_cast<long>(loop.extent())); }

/// How often `sum`, { S[iteration] -> [value] }, goes round a loop of which it is a value that was
/// changed by `change` at most.
isl::pw_aff carried(const isl::pw_aff& sum, const Loop& loop, long change) {
  const long extent = turns_of(loop);
  const isl::pw_aff place = sum.add_constant(-static_cast<long>(loop.begin));
  if (change > extent) return place.scale_down(extent).floor();
  const isl::pw_aff zero = place.scale(0);
  const isl::set over = place.ge_set(zero.add_constant(extent));
  const isl::set under = place.lt_set(zero);
  return over.indicator_function().sub(under.indicator_function());
}

}  // namespace

std::vector<LoopId> Placement::delayed_loops() const {
  const auto count = std::min(path.size(), static_cast<std::size_t>(delayed));
  return {path.end() - static_cast<std::ptrdiff_t>(count), path.end()};
}

Loop loop_over(const dsl::Axis& axis, const SourceLoc& where) {
  Loop loop;
  loop.name = axis->name;
  loop.kind = axis->kind;
  loop.begin = axis->begin;
  loop.end = axis->end;
  loop.depends_on_sizes = !axis->is_constant();
  loop.where = where;
  return loop;
}

LoopId Order::add(Loop loop) {
  const LoopId id = next_loop++;
  loops.emplace(id, std::move(loop));
  return id;
}

const Placement& Order::placement_of(const std::string& statement) const {
  const auto it = std::find_if(placements.begin(), placements.end(),
                               [&](const Placement& p) { return p.statement == statement; });
  if (it == placements.end()) {
    throw InternalError({{}, "statement '" + statement + "' has no place in the schedule", "", ""});
  }
  return *it;
}

isl::pw_aff Order::value_of(LoopId id, const std::string& statement) const {
  const isl::pw_aff& value = loop(id).value.at(statement);
  const Placement& placement = placement_of(statement);
  const std::vector<LoopId> delayed = placement.delayed_loops();
  if (placement.delay == 0 || std::find(delayed.begin(), delayed.end(), id) == delayed.end()) {
    return value;
  }
  // From the innermost loop out, as when a number is added to the digits of another one.
  std::optional<isl::pw_aff> carry;
  auto change = static_cast<long>(std::abs(placement.delay));
  for (std::size_t k = delayed.size(); k-- > 0;) {
    const Loop& one = loop(delayed[k]);
    const isl::pw_aff& own = one.value.at(statement);
    const isl::pw_aff sum =
        carry ? own.add(*carry) : own.add_constant(static_cast<long>(placement.delay));
    if (k == 0) return sum;
    carry = carried(sum, one, change);
    if (delayed[k] == id) return sum.sub(carry->scale(turns_of(one)));
    change = (change + turns_of(one) - 1) / turns_of(one);
  }
  return value;
}

TreeNode tree_of(const Order& order) {
  TreeNode root;
  append_children(order, 0, order.placements.size(), 0, root.children);
  return root;
}

isl::union_map time_of(const isl::ctx& ctx, const Order& order,
                       const std::map<std::string, isl::set>& domains) {
  TimeColumns time(order, domains);
  std::map<std::string, std::vector<isl::pw_aff>> all;
  std::size_t width = 2;
  for (const auto& [name, way] : steps_of(order)) {
    std::vector<isl::pw_aff>& columns = all[name];
    time.append(name, way, way.size(), columns);
    width = std::max(width, columns.size());
  }
  isl::union_map out = isl::union_map::empty(ctx);
  for (auto& [name, columns] : all) {
    while (columns.size() < width) time.append_constant(name, 0, columns);
    out = out.unite(columns_map(domains.at(name), columns).to_union_map());
  }
  return out;
}

isl::union_map prefix_of(const isl::ctx& ctx, const Order& order, LoopId id, LastValue last,
                         const std::map<std::string, isl::set>& domains) {
  TimeColumns time(order, domains);
  isl::union_map out = isl::union_map::empty(ctx);
  for (const auto& [name, way] : steps_of(order)) {
    const auto at =
        std::find_if(way.begin(), way.end(), [&](const TimeStep& step) { return step.loop == id; });
    if (at == way.end()) continue;
    std::vector<isl::pw_aff> columns;
    time.append(name, way, static_cast<std::size_t>(at - way.begin()), columns);
    time.append_constant(name, at->position, columns);
    if (last == LastValue::Keep) time.append_loop(name, *at, columns);
    out = out.unite(columns_map(domains.at(name), columns).to_union_map());
  }
  return out;
}

}  // namespace solway::schedule
