#include "schedule/isl_tree.h"

#include <vector>

namespace solway::schedule {
namespace {

using Domains = std::map<std::string, isl::set>;

isl::union_set instances_under(const isl::ctx& ctx, const TreeNode& node, const Domains& domains) {
  if (!node.statement.empty()) return domains.at(node.statement).to_union_set();
  isl::union_set out = isl::union_set::empty(ctx);
  for (const TreeNode& child : node.children) {
    out = out.unite(instances_under(ctx, child, domains));
  }
  return out;
}

void collect_statements(const TreeNode& node, std::vector<std::string>& out) {
  if (!node.statement.empty()) out.push_back(node.statement);
  for (const TreeNode& child : node.children) collect_statements(child, out);
}

isl::multi_union_pw_aff band_of(const Order& order, const TreeNode& node) {
  std::vector<std::string> names;
  collect_statements(node, names);
  isl::union_pw_aff all = order.value_of(node.loop, names.front()).to_union_pw_aff();
  for (std::size_t k = 1; k < names.size(); ++k) {
    all = all.union_add(order.value_of(node.loop, names[k]).to_union_pw_aff());
  }
  return isl::multi_union_pw_aff(all);
}

isl::schedule_node insert_children(isl::schedule_node leaf, const TreeNode& node,
                                   const Order& order, const Domains& domains);

/// Inserts the subtree of `node` at a leaf and returns the node at that place.
isl::schedule_node insert_subtree(isl::schedule_node leaf, const TreeNode& node, const Order& order,
                                  const Domains& domains) {
  if (!node.statement.empty()) return leaf;
  leaf = leaf.insert_partial_schedule(band_of(order, node));
  leaf = leaf.insert_mark("loop_" + std::to_string(node.loop));
  leaf = insert_children(leaf.child(0).child(0), node, order, domains);
  return leaf.parent().parent();
}

isl::schedule_node insert_children(isl::schedule_node leaf, const TreeNode& node,
                                   const Order& order, const Domains& domains) {
  if (node.children.empty()) return leaf;
  if (node.children.size() == 1) {
    return insert_subtree(leaf, node.children.front(), order, domains);
  }
  isl::union_set_list filters(leaf.ctx(), static_cast<int>(node.children.size()));
  for (const TreeNode& child : node.children) {
    filters = filters.add(instances_under(leaf.ctx(), child, domains));
  }
  leaf = leaf.insert_sequence(filters);
  for (std::size_t k = 0; k < node.children.size(); ++k) {
    isl::schedule_node at = leaf.child(static_cast<int>(k)).child(0);
    leaf = insert_subtree(at, node.children[k], order, domains).parent().parent();
  }
  return leaf;
}

}  // namespace

isl::schedule isl_tree_of(const isl::ctx& ctx, const Order& order, const Domains& domains) {
  const TreeNode root = tree_of(order);
  const isl::schedule_node top =
      isl::schedule::from_domain(instances_under(ctx, root, domains)).root();
  return insert_children(top.child(0), root, order, domains).root().schedule();
}

}  // namespace solway::schedule
