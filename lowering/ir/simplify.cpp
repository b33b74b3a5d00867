#include "lowering/ir/simplify.h"

#include <utility>

#include "lowering/ir/mutator.h"

namespace solway::ir {
namespace {

bool is_empty(const Stmt& s) {
  const auto* block = s.as_or_null<Block>();
  return block != nullptr && block->stmts.empty();
}

class Simplifier final : public Mutator {
  /// `folded`, or `self` when they are the same expression.
  static Expr keep(const Expr& folded, const Expr& self) {
    return equal(folded, self) ? self : folded;
  }

  Expr rewrite(const Unary& e, const Expr& self) override {
    return keep(fold(e.op, mutate(e.operand)), self);
  }

  Expr rewrite(const Binary& e, const Expr& self) override {
    return keep(fold(e.op, mutate(e.a), mutate(e.b)), self);
  }

  Expr rewrite(const Select& e, const Expr& self) override {
    return keep(fold_select(mutate(e.condition), mutate(e.if_true), mutate(e.if_false)), self);
  }

  Expr rewrite(const Cast& e, const Expr& self) override {
    return keep(fold_cast(mutate(e.operand), e.type.scalar), self);
  }

  Stmt rewrite(const For& s, const Stmt& self) override {
    const Stmt out = Mutator::rewrite(s, self);
    const For& loop = out.as<For>();
    const auto begin = try_constant(loop.begin);
    const auto end = try_constant(loop.end);
    return is_empty(loop.body) || (begin && end && *end <= *begin) ? Block::make({}) : out;
  }

  Stmt rewrite(const If& s, const Stmt& self) override {
    const Expr condition = mutate(s.condition);
    if (const auto value = try_constant(condition)) {
      if (*value != 0) return mutate(s.then_body);
      return s.else_body.defined() ? mutate(s.else_body) : Block::make({});
    }
    const Stmt then_body = mutate(s.then_body);
    Stmt else_body = mutate(s.else_body);
    if (else_body.defined() && is_empty(else_body)) else_body = {};
    if (is_empty(then_body)) {
      if (!else_body.defined()) return then_body;
      return If::make(fold(UnaryOp::Not, condition), else_body, {}, s.where);
    }
    if (condition.same_as(s.condition) && then_body.same_as(s.then_body) &&
        else_body.same_as(s.else_body)) {
      return self;
    }
    return If::make(condition, then_body, else_body, s.where);
  }

  Stmt rewrite(const Let& s, const Stmt& self) override {
    const Stmt out = Mutator::rewrite(s, self);
    return is_empty(out.as<Let>().body) ? out.as<Let>().body : out;
  }

  Stmt rewrite(const Allocate& s, const Stmt& self) override {
    const Stmt out = Mutator::rewrite(s, self);
    return is_empty(out.as<Allocate>().body) ? out.as<Allocate>().body : out;
  }
};

}  // namespace

Expr simplify(const Expr& e) { return Simplifier()(e); }

Stmt simplify(const Stmt& s) { return Simplifier()(s); }

}  // namespace solway::ir
