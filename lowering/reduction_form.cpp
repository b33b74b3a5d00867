#include "lowering/reduction_form.h"

#include <limits>

#include "lowering/ir/uses_buffer.h"

namespace solway::lowering {
namespace {

using ir::Expr;

std::optional<ReduceOp> try_reduce_op(BinaryOp op) {
  for (const ReduceOp r : {ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Min, ReduceOp::Max,
                           ReduceOp::All, ReduceOp::Any}) {
    if (combine_op(r) == op) return r;
  }
  return std::nullopt;
}

}  // namespace

Expr converted(const Expr& e, DType type) {
  return e.type().scalar == type ? e : ir::Cast::make(e, type);
}

std::optional<Reduction> try_reduction(const ir::Store& s) {
  const DType type = s.buffer->type;
  const bool is_only_stored = is_integer(type) && arithmetic_type(type) != type;
  const auto* cast = is_only_stored ? s.value.as_or_null<ir::Cast>() : nullptr;
  const auto* binary = (cast != nullptr ? cast->operand : s.value).as_or_null<ir::Binary>();
  const auto op = binary != nullptr ? try_reduce_op(binary->op) : std::nullopt;
  if (!op) return std::nullopt;
  const DType combined_in = binary->a.type().scalar;
  // Converted from another type after each term, the result may lose a part of each.
  if (combined_in != arithmetic_type(type)) return std::nullopt;
  const Expr place = converted(ir::Load::make(s.buffer, s.indices), combined_in);
  const bool is_left = ir::equal(binary->a, place);
  if (!is_left && !ir::equal(binary->b, place)) return std::nullopt;
  const Expr term = is_left ? binary->b : binary->a;
  if (ir::uses(term, s.buffer)) return std::nullopt;
  return Reduction{*op, place, term};
}

Expr identity_of(ReduceOp op, DType type) {
  const double infinity = std::numeric_limits<double>::infinity();
  const bool is_real = is_float(type);
  const auto literal = [&](std::int64_t value) {
    return is_real ? ir::FloatImm::make(static_cast<double>(value), type)
                   : ir::IntImm::make(value, type);
  };
  switch (op) {
    case ReduceOp::Sum:
      return literal(0);
    case ReduceOp::Prod:
      return literal(1);
    case ReduceOp::Min:
      return is_real ? ir::FloatImm::make(infinity, type) : literal(largest(type));
    case ReduceOp::Max:
      return is_real ? ir::FloatImm::make(-infinity, type) : literal(lowest(type));
    case ReduceOp::All:
      return literal(1);
    case ReduceOp::Any:
      return literal(0);
  }
  return literal(0);
}

}  // namespace solway::lowering
