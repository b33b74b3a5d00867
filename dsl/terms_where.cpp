#include "dsl/terms_where.h"

#include <utility>

namespace solway::dsl {

Expr make_terms_where(ReduceOp op, Expr x, Expr condition, const SourceLoc& where) {
  if (op == ReduceOp::Any || op == ReduceOp::All) {
    x = make_cast(std::move(x), DType::Bool, where);
  } else if (x->type == DType::Bool && (op == ReduceOp::Sum || op == ReduceOp::Prod)) {
    x = make_cast(std::move(x), DType::Int64, where);
  }
  const DType type = x->type;
  return make_select(std::move(condition), std::move(x), identity_of(op, type), where);
}

}  // namespace solway::dsl
