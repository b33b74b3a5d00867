#include "dsl/chosen_products.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "dsl/detail/rewrite_expr.h"
#include "dsl/terms_where.h"

namespace solway::dsl {
namespace {

/// A product without a choice of 0, and the condition of that.
struct ChosenProduct {
  Expr condition;
  Expr product;
};

std::optional<ChosenProduct> try_chosen_product(const Expr& product);

bool is_zero(const Expr& e) {
  return (e->kind == ExprKind::Int && e->int_value == 0) ||
         (e->kind == ExprKind::Float && e->float_value == 0);
}

/// A factor that is a choice of 0, converted or in a product itself.
std::optional<ChosenProduct> try_chosen_factor(const Expr& factor) {
  if (factor->kind == ExprKind::Select && is_zero(factor->operands[2])) {
    return ChosenProduct{factor->operands[0], factor->operands[1]};
  }
  if (factor->kind != ExprKind::Cast || factor->type == DType::Bool) {
    return try_chosen_product(factor);
  }
  auto inside = try_chosen_factor(factor->operands[0]);
  if (inside) inside->product = make_cast(inside->product, factor->type, factor->where);
  return inside;
}

std::optional<ChosenProduct> try_chosen_product(const Expr& product) {
  if (product->kind == ExprKind::Cast && product->type != DType::Bool) {
    auto inside = try_chosen_product(product->operands[0]);
    if (inside) inside->product = make_cast(inside->product, product->type, product->where);
    return inside;
  }
  if (product->kind != ExprKind::Binary || product->binary != BinaryOp::Mul) return std::nullopt;
  const auto a = try_chosen_factor(product->operands[0]);
  const auto b = try_chosen_factor(product->operands[1]);
  if (!a && !b) return std::nullopt;
  auto out = std::make_shared<ExprNode>(*product);
  if (a) out->operands[0] = a->product;
  if (b) out->operands[1] = b->product;
  const Expr condition =
      a && b ? make_binary(BinaryOp::And, a->condition, b->condition, product->where)
             : (a ? a : b)->condition;
  return ChosenProduct{condition, out};
}

}  // namespace

Tensor without_zero_products(const Tensor& tensor, const SourceLoc& where) {
  if (tensor->body == nullptr) return nullptr;
  bool is_changed = false;
  const std::function<Expr(const Expr&)> leave_out = [&](const Expr& e) -> Expr {
    if (e->kind != ExprKind::Reduce || e->combiner || e->reduce != ReduceOp::Sum) return nullptr;
    auto chosen = try_chosen_product(e->operands[0]);
    if (!chosen) return nullptr;
    is_changed = true;
    auto out = std::make_shared<ExprNode>(*e);
    out->operands[0] = make_terms_where(ReduceOp::Sum, std::move(chosen->product),
                                        std::move(chosen->condition), where);
    return out;
  };
  auto out = std::make_shared<TensorNode>(*tensor);
  out->body = detail::rewrite(tensor->body, leave_out);
  return is_changed ? out : nullptr;
}

}  // namespace solway::dsl
