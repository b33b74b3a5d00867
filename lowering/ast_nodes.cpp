#include "lowering/ast_nodes.h"

#include <algorithm>

#include "lowering/ir/fold.h"
#include "lowering/isl_ast.h"
#include "support/isl_ext.h"

namespace solway::lowering {
namespace {

/// The loop of one iteration whose mark `node` is, where isl made no loop; else -1.
schedule::LoopId unit_loop_of(const schedule::State& state, const isl::ast_node& node) {
  if (!node.isa<isl::ast_node_mark>()) return -1;
  const auto mark = node.as<isl::ast_node_mark>();
  const schedule::LoopId id = loop_of_mark(mark.id());
  const schedule::Loop& loop = state.order.loop(id);
  const bool is_left_out =
      loop.mark != schedule::LoopMark::Tensorized && loop.extent() == 1 && !has_loop(mark.node());
  return is_left_out ? id : -1;
}

/// min(a, b) + 1 is min(a + 1, b + 1): the extent of a tile and what is left stay visible.
ir::Expr one_more(const ir::Expr& e) {
  const auto* min = e.as_or_null<ir::Binary>();
  if (min != nullptr && min->op == BinaryOp::Min) {
    return ir::Binary::make(BinaryOp::Min, one_more(min->a), one_more(min->b));
  }
  return ir::add(e, ir::index(1));
}

/// The half-open end of a loop whose condition is `iterator <= e` or `iterator < e`.
ir::Expr end_of(const isl::ast_node_for& loop, const Iterators& iterators) {
  const auto condition = loop.cond().as<isl::ast_expr_op>();
  const ir::Expr bound = convert_ast_expr(condition.arg(1), iterators);
  return condition.isa<isl::ast_expr_op_lt>() ? bound : one_more(bound);
}

}  // namespace

std::vector<isl::ast_node> statements_of(const isl::ast_node& node) {
  if (!node.isa<isl::ast_node_block>()) return {node};
  std::vector<isl::ast_node> out;
  const isl::ast_node_list children = node.as<isl::ast_node_block>().children();
  for (unsigned k = 0; k < children.size(); ++k) {
    const auto inner = statements_of(children.at(static_cast<int>(k)));
    out.insert(out.end(), inner.begin(), inner.end());
  }
  return out;
}

bool has_loop(const isl::ast_node& node) {
  if (node.isa<isl::ast_node_for>()) return true;
  if (node.isa<isl::ast_node_if>()) {
    const auto guard = node.as<isl::ast_node_if>();
    return has_loop(guard.then_node()) || (guard.has_else_node() && has_loop(guard.else_node()));
  }
  if (!node.isa<isl::ast_node_block>()) return false;
  const std::vector<isl::ast_node> children = statements_of(node);
  return std::any_of(children.begin(), children.end(), has_loop);
}

std::string first_instance(const isl::ast_node& node) {
  if (node.isa<isl::ast_node_block>()) {
    const isl::ast_node_list children = node.as<isl::ast_node_block>().children();
    return children.size() == 0 ? "" : first_instance(children.at(0));
  }
  if (node.isa<isl::ast_node_mark>()) return first_instance(node.as<isl::ast_node_mark>().node());
  if (node.isa<isl::ast_node_if>()) return first_instance(node.as<isl::ast_node_if>().then_node());
  if (node.isa<isl::ast_node_for>()) return first_instance(node.as<isl::ast_node_for>().body());
  return isl_ext::annotation_of(node);
}

std::vector<NodeGroup> groups_of(const schedule::State& state,
                                 const std::vector<isl::ast_node>& nodes) {
  std::vector<NodeGroup> out;
  for (const isl::ast_node& node : nodes) {
    const schedule::LoopId loop = unit_loop_of(state, node);
    if (loop < 0 || out.empty() || out.back().unit_loop != loop) out.push_back({{}, loop});
    out.back().nodes.push_back(node);
  }
  return out;
}

LoopBounds bounds_of(const isl::ast_node_for& loop, const Iterators& iterators) {
  LoopBounds out;
  out.begin = convert_ast_expr(loop.init(), iterators);
  if (loop.is_degenerate()) {
    out.end = ir::Binary::make(BinaryOp::Add, out.begin, ir::IntImm::make(1));
    return out;
  }
  out.end = end_of(loop, iterators);
  out.step = loop.inc().as<isl::ast_expr_int>().val().num_si();
  return out;
}

}  // namespace solway::lowering
