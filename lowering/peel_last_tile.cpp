#include "lowering/peel_last_tile.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

/// Nested cuts multiply the code inside.
constexpr int kMostCopies = 16;

/// A minimum of what a loop makes smaller and of what it does not change.
struct Choice {
  Expr whole;  ///< the operand that does not change
  Expr rest;   ///< the one that does
  Expr end;    ///< the first value of the loop's variable for which `rest` is the smaller one
};

/// The first such choice in the end of a vectorized or unrolled loop inside of a loop.
class ChoiceFinder final : public ir::Visitor {
 public:
  explicit ChoiceFinder(const ir::For& loop) : var_(loop.var) { walk(loop.body); }
  std::optional<Choice> found;

 private:
  void visit(const ir::For& s) override {
    const bool is_copied =
        s.for_kind == ir::ForKind::Vectorized || s.for_kind == ir::ForKind::Unrolled;
    if (is_copied && !found) {
      is_in_end_ = true;
      walk(s.end);
      is_in_end_ = false;
    }
    inner_.insert(s.var);
    if (!found) walk(s.body);
  }
  void visit(const ir::Let& s) override {
    inner_.insert(s.var);
    walk(s.body);
  }
  void visit(const ir::Binary& e) override {
    if (is_in_end_ && e.op == BinaryOp::Min && e.a.type() == ir::kInt64 && !found) {
      found = choice(e.a, e.b);
      if (!found) found = choice(e.b, e.a);
    }
    Visitor::visit(e);
  }

  std::optional<Choice> choice(const Expr& rest, const Expr& whole) const {
    if (ir::mentions(whole, var_) || ir::has_load(rest) || ir::has_load(whole)) return std::nullopt;
    ir::Linear left = ir::linear_of(rest) - ir::linear_of(whole);
    const auto own = left.terms.find(var_);
    if (own == left.terms.end() || own->second.coefficient >= 0) return std::nullopt;
    const std::int64_t step = -own->second.coefficient;
    left.terms.erase(own);
    if (left.terms.empty()) return std::nullopt;  // constants are peel_tails' part
    for (const auto& term : left.terms) {
      const Expr& atom = term.second.atom;
      const bool is_inner = std::any_of(inner_.begin(), inner_.end(), [&](const std::string& var) {
        return ir::mentions(atom, var);
      });
      if (is_inner || ir::mentions(atom, var_)) return std::nullopt;
    }
    // rest - whole = left - step * var >= 0
    left.constant += step;
    const Expr end = ir::fold(BinaryOp::FloorDiv, ir::to_expr(left), ir::index(step));
    return Choice{whole, rest, ir::simplify(end)};
  }

  const std::string& var_;
  std::set<std::string> inner_;  ///< variables that are defined inside of the loop
  bool is_in_end_ = false;
};

/// Where what does not change is the minimum.
class WholeTile final : public ir::Mutator {
 public:
  explicit WholeTile(const Choice& choice) : choice_(choice) {}

 private:
  using Mutator::rewrite;
  Expr rewrite(const ir::Binary& e, const Expr& self) override {
    const auto is = [&](const Expr& a, const Expr& b) {
      return ir::equal(a, choice_.rest) && ir::equal(b, choice_.whole);
    };
    if (e.op == BinaryOp::Min && (is(e.a, e.b) || is(e.b, e.a))) return choice_.whole;
    return Mutator::rewrite(e, self);
  }

  const Choice& choice_;
};

class LastTilePeeler final : public ir::Mutator {
 private:
  using Mutator::rewrite;
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const bool may = s.for_kind == ir::ForKind::Serial || s.for_kind == ir::ForKind::Parallel;
    const std::optional<Choice> choice =
        may && 2 * copies_ <= kMostCopies ? ChoiceFinder(s).found : std::nullopt;
    if (!choice) return Mutator::rewrite(s, self);
    copies_ *= 2;
    const Stmt whole = mutate(ir::simplify(WholeTile(*choice)(s.body)));
    const Stmt rest = mutate(s.body);  // the minimum says how much there may be
    copies_ /= 2;
    if (s.for_kind == ir::ForKind::Parallel) {
      const Expr is_whole = ir::Binary::make(BinaryOp::Lt, ir::Var::make(s.var), choice->end);
      return with(s, s.begin, s.end, ir::If::make(is_whole, whole, rest, s.where));
    }
    return ir::Block::make({with(s, s.begin, ir::min(choice->end, s.end), whole),
                            with(s, ir::max(choice->end, s.begin), s.end, rest)},
                           s.where);
  }

  static Stmt with(const ir::For& s, const Expr& begin, const Expr& end, const Stmt& body) {
    return ir::For::make(s.var, begin, end, s.for_kind, body, s.where);
  }

  int copies_ = 1;  ///< of the present statement
};

}  // namespace

Stmt peel_last_tile(const Stmt& s) { return LastTilePeeler()(s); }

}  // namespace solway::lowering
