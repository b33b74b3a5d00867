#include "lowering/chosen_positions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::Expr;

const std::string* name_of(const Expr& e) {
  const auto* var = e.as_or_null<ir::Var>();
  return var == nullptr ? nullptr : &var->name;
}

class Narrower final : public ir::Mutator {
 public:
  explicit Narrower(const std::set<std::string>& vars) : vars_(vars) {}

  /// Whether what is made has the types that it must.
  bool is_whole() const { return is_whole_; }

 private:
  using Mutator::rewrite;

  Expr rewrite(const ir::Var& e, const Expr& self) override {
    return vars_.count(e.name) == 0 ? self
                                    : ir::Var::make(e.name, {DType::Int32, self.type().lanes});
  }

  Expr rewrite(const ir::Select& e, const Expr& self) override {
    const Expr if_true = mutate(e.if_true);
    const Expr if_false = mutate(e.if_false);
    if (if_true.type() != if_false.type()) return refuse(self);
    return ir::Select::make(mutate(e.condition), if_true, if_false);
  }

  Expr rewrite(const ir::Binary& e, const Expr& self) override {
    const Expr a = mutate(e.a);
    const Expr b = mutate(e.b);
    const bool is_kept = a.type() == e.a.type() && b.type() == e.b.type();
    const bool is_comparison = self.type().scalar == DType::Bool && a.type() == b.type();
    return is_kept || is_comparison ? ir::Binary::make(e.op, a, b) : refuse(self);
  }

  Expr rewrite(const ir::Unary& e, const Expr& self) override {
    const Expr operand = mutate(e.operand);
    return operand.type() == e.operand.type() ? ir::Unary::make(e.op, operand) : refuse(self);
  }

  Expr rewrite(const ir::Cast& e, const Expr& self) override {
    const Expr operand = mutate(e.operand);
    return operand.type() == e.operand.type() ? self : refuse(self);
  }

  Expr refuse(const Expr& self) {
    is_whole_ = false;
    return self;
  }

  const std::set<std::string>& vars_;
  bool is_whole_ = true;
};

class Orderer final : public ir::Mutator {
 public:
  explicit Orderer(const std::map<std::string, std::string>& smaller) : smaller_(smaller) {}

 private:
  using Mutator::rewrite;

  Expr rewrite(const ir::Binary& e, const Expr& self) override {
    const std::string* a = name_of(e.a);
    const std::string* b = name_of(e.b);
    if (a == nullptr || b == nullptr) return Mutator::rewrite(e, self);
    const bool a_is_larger = is_larger(*a, *b);
    if (!a_is_larger && !is_larger(*b, *a)) return self;
    const auto known =
        ir::try_evaluate(e.op, a_is_larger ? 1 : 0, a_is_larger ? 0 : 1, e.a.type().scalar);
    const bool is_comparison = self.type() == ir::Type{DType::Bool, {}};
    return known && is_comparison ? ir::IntImm::make(*known, DType::Bool) : self;
  }

  bool is_larger(const std::string& a, const std::string& b) const {
    const auto at = smaller_.find(a);
    return at != smaller_.end() && at->second == b;
  }

  const std::map<std::string, std::string>& smaller_;
};

/// Joins "not less" (or not greater) and "not equal", of NaN, too.
class Joiner final : public ir::Mutator {
 private:
  using Mutator::rewrite;

  Expr rewrite(const ir::Binary& e, const Expr& self) override {
    if (e.op != BinaryOp::And) return Mutator::rewrite(e, self);
    std::vector<Expr> all = ir::operands_of(BinaryOp::And, self);
    for (Expr& one : all) {
      const auto* no = one.as_or_null<ir::Unary>();
      const auto* less = no == nullptr ? nullptr : no->operand.as_or_null<ir::Binary>();
      const bool is_less = less != nullptr && no->op == UnaryOp::Not &&
                           (less->op == BinaryOp::Lt || less->op == BinaryOp::Gt);
      if (!is_less) continue;
      const Expr differs = ir::Binary::make(BinaryOp::Ne, less->a, less->b);
      const auto at = std::find_if(all.begin(), all.end(),
                                   [&](const Expr& other) { return ir::equal(other, differs); });
      if (at == all.end()) continue;
      const BinaryOp op = less->op == BinaryOp::Lt ? BinaryOp::Le : BinaryOp::Ge;
      one = ir::Unary::make(UnaryOp::Not, ir::Binary::make(op, less->a, less->b));
      all.erase(at);
      break;
    }
    Expr out = all[0];
    for (std::size_t k = 1; k < all.size(); ++k) out = ir::Binary::make(e.op, out, all[k]);
    return ir::equal(out, self) ? self : out;
  }
};

}  // namespace

bool chooses_among(const Expr& e, const std::string& a, const std::string& b) {
  if (const std::string* name = name_of(e)) return *name == a || *name == b;
  const auto* choice = e.as_or_null<ir::Select>();
  return choice != nullptr && chooses_among(choice->if_true, a, b) &&
         chooses_among(choice->if_false, a, b);
}

std::optional<Expr> try_narrow(const Expr& e, const std::set<std::string>& vars) {
  Narrower narrower(vars);
  Expr out = narrower(e);
  return narrower.is_whole() ? std::optional(std::move(out)) : std::nullopt;
}

Expr with_order(const Expr& e, const std::map<std::string, std::string>& smaller) {
  return smaller.empty() ? e : Joiner()(ir::simplify(Orderer(smaller)(e)));
}

}  // namespace solway::lowering
