#include "dsl/detail/rewrite_expr.h"

#include <memory>
#include <utility>

#include "support/dtype.h"

namespace solway::dsl::detail {
namespace {

void collect_axes(const Expr& expr, std::set<Axis>& out) {
  if (expr->kind == ExprKind::AxisRef) out.insert(expr->axis);
  for (const Expr& operand : expr->operands) collect_axes(operand, out);
}

/// a + times * b.
LinearForm sum_of(LinearForm a, const LinearForm& b, std::int64_t times) {
  for (const auto& [axis, factor] : b.factors) a.factors[axis] += times * factor;
  a.constant += times * b.constant;
  return a;
}

std::optional<LinearForm> product_of(const LinearForm& a, const LinearForm& b) {
  if (!a.factors.empty() && !b.factors.empty()) return std::nullopt;
  const LinearForm& many = a.factors.empty() ? b : a;
  return sum_of({}, many, a.factors.empty() ? a.constant : b.constant);
}

}  // namespace

Expr rewrite(const Expr& expr, const std::function<Expr(const Expr&)>& replace) {
  if (Expr other = replace(expr)) return other;
  std::vector<Expr> operands;
  bool is_changed = false;
  for (const Expr& operand : expr->operands) {
    operands.push_back(rewrite(operand, replace));
    is_changed = is_changed || operands.back() != operand;
  }
  if (!is_changed) return expr;
  auto node = std::make_shared<ExprNode>(*expr);
  node->operands = std::move(operands);
  return node;
}

Expr with_axes(const Expr& expr, const std::map<Axis, Expr>& values) {
  return rewrite(expr, [&](const Expr& e) -> Expr {
    if (e->kind != ExprKind::AxisRef) return nullptr;
    const auto at = values.find(e->axis);
    return at == values.end() ? nullptr : at->second;
  });
}

std::set<Axis> axes_in(const Expr& expr) {
  std::set<Axis> out;
  collect_axes(expr, out);
  return out;
}

std::optional<LinearForm> linear_form(const Expr& expr) {
  if (!is_integer(expr->type)) return std::nullopt;
  if (expr->kind == ExprKind::Int) return LinearForm{{}, expr->int_value};
  if (expr->kind == ExprKind::AxisRef) return LinearForm{{{expr->axis, 1}}, 0};
  if (expr->kind != ExprKind::Binary) return std::nullopt;
  if (expr->binary != BinaryOp::Add && expr->binary != BinaryOp::Sub &&
      expr->binary != BinaryOp::Mul) {
    return std::nullopt;
  }
  const std::optional<LinearForm> a = linear_form(expr->operands[0]);
  const std::optional<LinearForm> b = linear_form(expr->operands[1]);
  if (!a || !b) return std::nullopt;
  if (expr->binary == BinaryOp::Mul) return product_of(*a, *b);
  return sum_of(*a, *b, expr->binary == BinaryOp::Add ? 1 : -1);
}

}  // namespace solway::dsl::detail
