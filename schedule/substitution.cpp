#include "schedule/substitution.h"

#include <memory>
#include <vector>

namespace solway::schedule {

using dsl::Expr;
using dsl::ExprKind;

Expr Substitution::operator()(const Expr& expr) {
  const auto known = done_.find(expr);
  if (known != done_.end()) return known->second;
  Expr out = expr;
  const auto axis = expr->kind == ExprKind::AxisRef ? axes_.find(expr->axis) : axes_.end();
  if (axis != axes_.end()) {
    out = axis->second;
  } else {
    std::vector<Expr> operands;
    for (const Expr& operand : expr->operands) operands.push_back((*this)(operand));
    if (operands != expr->operands || (expr->kind == ExprKind::Read && reads_ == Reads::Copy)) {
      auto copy = std::make_shared<dsl::ExprNode>(*expr);
      copy->operands = std::move(operands);
      out = copy;
    }
  }
  done_[expr] = out;
  return out;
}

}  // namespace solway::schedule
