#include "lowering/convert_expr.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "lowering/ir/divisions.h"
#include "lowering/ir/fold.h"
#include "support/error.h"

namespace solway::lowering {
namespace {

bool is_connective(BinaryOp op) { return op == BinaryOp::And || op == BinaryOp::Or; }

/// Where a condition stands, isl writes one that always holds as the number 1.
ir::Expr as_condition(const ir::Expr& value) {
  if (value.type().scalar == DType::Bool) return value;
  if (const auto known = ir::try_constant(value)) {
    return ir::IntImm::make(*known != 0 ? 1 : 0, DType::Bool);
  }
  return ir::Binary::make(BinaryOp::Ne, value, ir::index(0));
}

ir::Expr convert_ast(const isl::ast_expr& expr, const Iterators& iterators);

ir::Expr fold(BinaryOp op, const isl::ast_expr_op& node, const Iterators& iterators) {
  const auto operand = [&](unsigned k) {
    const ir::Expr value = convert_ast(node.arg(static_cast<int>(k)), iterators);
    return is_connective(op) ? as_condition(value) : value;
  };
  ir::Expr out = operand(0);
  for (unsigned k = 1; k < node.n_arg(); ++k) out = ir::Binary::make(op, out, operand(k));
  return out;
}

std::optional<BinaryOp> binary_op_of(const isl::ast_expr_op& node) {
  if (node.isa<isl::ast_expr_op_add>()) return BinaryOp::Add;
  if (node.isa<isl::ast_expr_op_sub>()) return BinaryOp::Sub;
  if (node.isa<isl::ast_expr_op_mul>()) return BinaryOp::Mul;
  if (node.isa<isl::ast_expr_op_min>()) return BinaryOp::Min;
  if (node.isa<isl::ast_expr_op_max>()) return BinaryOp::Max;
  if (node.isa<isl::ast_expr_op_fdiv_q>()) return BinaryOp::FloorDiv;
  if (node.isa<isl::ast_expr_op_pdiv_q>()) return BinaryOp::FloorDiv;
  if (node.isa<isl::ast_expr_op_div>()) return BinaryOp::FloorDiv;
  if (node.isa<isl::ast_expr_op_pdiv_r>()) return BinaryOp::Mod;
  if (node.isa<isl::ast_expr_op_zdiv_r>()) return BinaryOp::Mod;
  if (node.isa<isl::ast_expr_op_eq>()) return BinaryOp::Eq;
  if (node.isa<isl::ast_expr_op_le>()) return BinaryOp::Le;
  if (node.isa<isl::ast_expr_op_lt>()) return BinaryOp::Lt;
  if (node.isa<isl::ast_expr_op_ge>()) return BinaryOp::Ge;
  if (node.isa<isl::ast_expr_op_gt>()) return BinaryOp::Gt;
  if (node.isa<isl::ast_expr_op_and>()) return BinaryOp::And;
  if (node.isa<isl::ast_expr_op_and_then>()) return BinaryOp::And;
  if (node.isa<isl::ast_expr_op_or>()) return BinaryOp::Or;
  if (node.isa<isl::ast_expr_op_or_else>()) return BinaryOp::Or;
  return std::nullopt;
}

ir::Expr convert_literal(const dsl::ExprNode& node) {
  if (is_float(node.type)) {
    return ir::FloatImm::make(
        node.kind == dsl::ExprKind::Int ? static_cast<double>(node.int_value) : node.float_value,
        node.type);
  }
  return ir::IntImm::make(node.int_value, node.type);
}

/// Whether nothing evaluates `expr`, as it would read what is never read.
bool is_unused(const dsl::Expr& expr, const Leaves& leaves) {
  if (leaves.unread.count(expr.get()) != 0) return true;
  const auto& operands = expr->operands;
  if (expr->kind == dsl::ExprKind::Select) {
    return is_unused(operands[0], leaves) ||
           (is_unused(operands[1], leaves) && is_unused(operands[2], leaves));
  }
  return std::any_of(operands.begin(), operands.end(),
                     [&](const dsl::Expr& operand) { return is_unused(operand, leaves); });
}

/// The value in the type that it is computed in.
ir::Expr in_arithmetic(const ir::Expr& e) {
  return ir::fold_cast(e, arithmetic_type(e.type().scalar));
}

ir::Expr convert_ast(const isl::ast_expr& expr, const Iterators& iterators) {
  if (expr.isa<isl::ast_expr_int>()) {
    return ir::IntImm::make(expr.as<isl::ast_expr_int>().val().num_si());
  }
  if (expr.isa<isl::ast_expr_id>()) {
    return iterators.at(expr.as<isl::ast_expr_id>().id().name());
  }
  const auto node = expr.as<isl::ast_expr_op>();
  if (node.isa<isl::ast_expr_op_minus>()) {
    return ir::mul(convert_ast(node.arg(0), iterators), ir::index(-1));  // stays linear
  }
  if (node.isa<isl::ast_expr_op_cond>() || node.isa<isl::ast_expr_op_select>()) {
    return ir::Select::make(as_condition(convert_ast(node.arg(0), iterators)),
                            convert_ast(node.arg(1), iterators),
                            convert_ast(node.arg(2), iterators));
  }
  const std::optional<BinaryOp> op = binary_op_of(node);
  if (!op) throw InternalError({{}, "unknown AST expression " + expr.to_C_str(), "", ""});
  return fold(*op, node, iterators);
}

}  // namespace

ir::Expr unary(UnaryOp op, const ir::Expr& operand) {
  const DType type = operand.type().scalar;
  const ir::Expr out = ir::Unary::make(op, in_arithmetic(operand));
  return ir::fold_cast(out, result_type(op, type));
}

ir::Expr binary(BinaryOp op, const ir::Expr& a, const ir::Expr& b) {
  const DType type = a.type().scalar;
  const ir::Expr out = ir::Binary::make(op, in_arithmetic(a), in_arithmetic(b));
  return ir::fold_cast(out, result_type(op, type));
}

ir::Expr convert_ast_expr(const isl::ast_expr& expr, const Iterators& iterators) {
  return ir::simplify_divisions(convert_ast(expr, iterators));
}

ir::Expr convert_ast_condition(const isl::ast_expr& expr, const Iterators& iterators) {
  return as_condition(convert_ast_expr(expr, iterators));
}

ir::Expr convert_expr(const dsl::Expr& expr, const Leaves& leaves) {
  const dsl::ExprNode& node = *expr;
  const auto operand = [&](std::size_t k) { return convert_expr(node.operands[k], leaves); };
  switch (node.kind) {
    case dsl::ExprKind::Int:
    case dsl::ExprKind::Float:
      return convert_literal(node);
    case dsl::ExprKind::SizeRef:
      return ir::Var::make(node.size->name);
    case dsl::ExprKind::AxisRef:
      return leaves.axes.at(node.axis);
    case dsl::ExprKind::Read:
      return leaves.reads.at(expr.get());
    case dsl::ExprKind::Unary:
      return unary(node.unary, operand(0));
    case dsl::ExprKind::Binary:
      return binary(node.binary, operand(0), operand(1));
    case dsl::ExprKind::Select:
      if (is_unused(node.operands[1], leaves)) return operand(2);
      if (is_unused(node.operands[2], leaves)) return operand(1);
      return ir::Select::make(operand(0), operand(1), operand(2));
    case dsl::ExprKind::Cast:
      return ir::Cast::make(operand(0), node.type);
    case dsl::ExprKind::Param:
      return leaves.params.at(static_cast<std::size_t>(node.int_value));
    case dsl::ExprKind::Bounded:
      return operand(0);
    case dsl::ExprKind::Reduce:
    case dsl::ExprKind::Item:
      break;
  }
  throw InternalError({node.where, "a reduction is left inside a statement", "", ""});
}

}  // namespace solway::lowering
