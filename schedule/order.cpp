#include "schedule/order.h"

#include <algorithm>
#include <stdexcept>

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
  long position;  ///< among the children of the node above
  LoopId loop;    ///< -1 at the statement itself
};

void collect_steps(const TreeNode& node, std::vector<TimeStep>& way,
                   std::map<std::string, std::vector<TimeStep>>& out) {
  long position = 0;
  for (const TreeNode& child : node.children) {
    way.push_back({position++, child.loop});
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
  isl::multi_pw_aff all = columns.front().to_multi_pw_aff();
  for (std::size_t k = 1; k < columns.size(); ++k) {
    all = all.flat_range_product(columns[k].to_multi_pw_aff());
  }
  return all.as_map().intersect_domain(domain);
}

}  // namespace

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
  if (placement.delay == 0 || placement.path.back() != id) return value;
  return value.add_constant(static_cast<long>(placement.delay));
}

TreeNode tree_of(const Order& order) {
  TreeNode root;
  append_children(order, 0, order.placements.size(), 0, root.children);
  return root;
}

isl::union_map time_of(const isl::ctx& ctx, const Order& order,
                       const std::map<std::string, isl::set>& domains) {
  const auto steps = steps_of(order);
  std::size_t depth = 1;
  for (const auto& [name, way] : steps) depth = std::max(depth, way.size());
  isl::union_map out = isl::union_map::empty(ctx);
  for (const auto& [name, way] : steps) {
    const isl::set& domain = domains.at(name);
    std::vector<isl::pw_aff> columns;
    for (const TimeStep& step : way) {
      columns.push_back(constant_on(domain, step.position));
      columns.push_back(step.loop < 0 ? constant_on(domain, 0) : order.value_of(step.loop, name));
    }
    while (columns.size() < 2 * depth) columns.push_back(constant_on(domain, 0));
    out = out.unite(columns_map(domain, columns).to_union_map());
  }
  return out;
}

isl::union_map prefix_of(const isl::ctx& ctx, const Order& order, LoopId id, LastValue last,
                         const std::map<std::string, isl::set>& domains) {
  isl::union_map out = isl::union_map::empty(ctx);
  for (const auto& [name, way] : steps_of(order)) {
    const auto at =
        std::find_if(way.begin(), way.end(), [&](const TimeStep& step) { return step.loop == id; });
    if (at == way.end()) continue;
    const isl::set& domain = domains.at(name);
    std::vector<isl::pw_aff> columns;
    for (auto step = way.begin(); step != at + 1; ++step) {
      columns.push_back(constant_on(domain, step->position));
      if (step != at || last == LastValue::Keep) {
        columns.push_back(order.value_of(step->loop, name));
      }
    }
    out = out.unite(columns_map(domain, columns).to_union_map());
  }
  return out;
}

}  // namespace solway::schedule
