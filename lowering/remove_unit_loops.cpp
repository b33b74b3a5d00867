#include "lowering/remove_unit_loops.h"

#include <map>
#include <string>

#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

bool is_unit(const ir::For& loop) {
  const ir::Linear extent = ir::linear_of(loop.end) - ir::linear_of(loop.begin);
  return extent.terms.empty() && extent.constant == 1;
}

class UnitLoopRemover final : public ir::Mutator {
  Expr rewrite(const ir::Var& v, const Expr& self) override {
    const auto it = value_of_.find(v.name);
    return it == value_of_.end() ? self : it->second;
  }

  Stmt rewrite(const ir::For& loop, const Stmt& self) override {
    if (loop.for_kind == ir::ForKind::Parallel || !is_unit(loop)) {
      return Mutator::rewrite(loop, self);
    }
    const Expr begin = mutate(loop.begin);
    // A longer value is computed once, and before the body can change what it reads.
    if (!ir::try_constant(begin) && begin.kind() != ir::ExprKind::Var) {
      return ir::Let::make(loop.var, begin, mutate(loop.body), loop.where);
    }
    value_of_[loop.var] = begin;
    Stmt body = mutate(loop.body);
    value_of_.erase(loop.var);
    return body;
  }

  std::map<std::string, Expr> value_of_;  ///< variables of the removed loops around
};

}  // namespace

Stmt remove_unit_loops(const Stmt& s) { return UnitLoopRemover()(s); }

}  // namespace solway::lowering
