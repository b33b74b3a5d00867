#include "lowering/split_selects.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/join_digits.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/uses_buffer.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

constexpr std::int64_t kFewest = 4;           ///< iterations of a part that runs in vectors
constexpr std::int64_t kFewestOfPeriod = 16;  ///< ... between two turns of an index
constexpr int kMostLoops = 48;                ///< that one becomes; choices beyond stay

/// x as coefficient * var + constant.
struct Line {
  std::int64_t coefficient = 0;
  std::int64_t constant = 0;
};

/// A sum of which the variable alone decides.
std::optional<Line> as_line(const ir::Linear& sum, const std::string& var) {
  if (sum.terms.size() != 1 || sum.terms.begin()->first != var) return std::nullopt;
  return Line{sum.terms.begin()->second.coefficient, sum.constant};
}

/// What is not negative where a comparison holds; nullopt where it is no such comparison.
std::optional<Line> line_of(const Expr& comparison, const std::string& var) {
  const auto* n = comparison.as_or_null<ir::Binary>();
  if (n == nullptr || n->a.type() != ir::kInt64) return std::nullopt;
  const bool is_less = n->op == BinaryOp::Le || n->op == BinaryOp::Lt;
  if (!is_less && n->op != BinaryOp::Ge && n->op != BinaryOp::Gt) return std::nullopt;
  const ir::Linear a = ir::linear_of(n->a);
  const ir::Linear b = ir::linear_of(n->b);
  ir::Linear d = is_less ? b - a : a - b;
  if (n->op == BinaryOp::Lt || n->op == BinaryOp::Gt) d.constant -= 1;
  return as_line(d, var);
}

/// What is 0 where an equation holds; nullopt where it is none.
std::optional<Line> equation_of(const Expr& comparison, const std::string& var) {
  const auto* n = comparison.as_or_null<ir::Binary>();
  if (n == nullptr || n->op != BinaryOp::Eq || n->a.type() != ir::kInt64) return std::nullopt;
  return as_line(ir::linear_of(n->a) - ir::linear_of(n->b), var);
}

/// Where a condition holds: from `begin` to `end`, if `others` do.
struct Inside {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  Expr others;  ///< without the variable; undefined: nothing else
};

std::int64_t rounded_down(std::int64_t a, std::int64_t b) {
  return *ir::try_evaluate(BinaryOp::FloorDiv, a, b, DType::Int64);
}

std::optional<Inside> inside_of(const Expr& condition, const std::string& var, std::int64_t begin,
                                std::int64_t end) {
  Inside out{begin, end, {}};
  for (const Expr& one : ir::operands_of(BinaryOp::And, condition)) {
    if (!ir::mentions(one, var)) {
      out.others =
          out.others.defined() ? ir::Binary::make(BinaryOp::And, out.others, one) : Expr(one);
      continue;
    }
    if (const auto equation = equation_of(one, var)) {
      const std::int64_t value = -equation->constant / equation->coefficient;
      const bool is_met = equation->constant % equation->coefficient == 0;
      out.begin = std::max(out.begin, value);
      out.end = is_met ? std::min(out.end, value + 1) : out.begin;
      continue;
    }
    const auto line = line_of(one, var);
    if (!line) return std::nullopt;
    if (line->coefficient > 0) {
      out.begin = std::max(out.begin, -rounded_down(line->constant, line->coefficient));
    } else {
      out.end = std::min(out.end, rounded_down(line->constant, -line->coefficient) + 1);
    }
  }
  return out;
}

/// What cuts a loop: `node`, a choice or what an index has, is `within` in some iterations and
/// `elsewhere` in the others.
struct Turn {
  const ir::ExprNode* node = nullptr;
  Inside inside;
  Expr within;
  Expr elsewhere;
};

/// The outermost choice for which the loop decides, or division of an index; of the whole value
/// also a choice for which it does not.
class TurnFinder final : public ir::Visitor {
 public:
  TurnFinder(const std::string& var, std::int64_t begin, std::int64_t end)
      : var_(var), begin_(begin), end_(end) {}

  std::optional<Turn> in(const Expr& value) {
    whole_ = value.as_or_null<ir::Select>();
    walk(value);
    return found_;
  }

 private:
  void visit(const ir::Select& e) override {
    if (found_) return;
    const bool may_cut = !e.condition.type().is_vector() && !ir::has_load(e.condition) &&
                         (&e == whole_ || ir::mentions(e.condition, var_));
    const auto inside = may_cut ? inside_of(e.condition, var_, begin_, end_) : std::nullopt;
    if (inside) {
      found_ = Turn{&e, *inside, e.if_true, e.if_false};
    } else {
      Visitor::visit(e);
    }
  }

  /// Indices that are digits of one number have no turns, as those of loops that were fused.
  void visit(const ir::Load& e) override {
    const Expr place = ir::join_digits(ir::flat_index(*e.buffer, e.indices));
    if (!ir::try_coefficient(place, var_)) Visitor::visit(e);
  }

  /// A quotient is the same, and a remainder has no jumps, up to where the next one begins.
  void visit(const ir::Binary& e) override {
    if (!found_) found_ = period_of(e);
    if (!found_) Visitor::visit(e);
  }

  std::optional<Turn> period_of(const ir::Binary& e) const {
    const bool is_remainder = e.op == BinaryOp::Mod;
    if (!is_remainder && e.op != BinaryOp::FloorDiv) return std::nullopt;
    const auto divisor = ir::try_constant(e.b);
    if (!divisor || *divisor < 1 || e.a.type() != ir::kInt64) return std::nullopt;
    const auto line = as_line(ir::linear_of(e.a), var_);
    if (!line) return std::nullopt;
    const std::int64_t step = line->coefficient;
    if (step < 1 || *divisor / step < kFewestOfPeriod) return std::nullopt;
    const std::int64_t quotient = rounded_down(begin_ * step + line->constant, *divisor);
    const std::int64_t next = (quotient + 1) * *divisor - line->constant;  // is not reached
    const std::int64_t end = -rounded_down(-next, step);
    const Expr within = is_remainder ? ir::simplify(ir::add(e.a, ir::index(-quotient * *divisor)))
                                     : Expr(ir::index(quotient));
    return Turn{&e, {begin_, std::min(end, end_), {}}, within, ir::Binary::make(e.op, e.a, e.b)};
  }

  const std::string& var_;
  std::int64_t begin_;
  std::int64_t end_;
  const ir::Select* whole_ = nullptr;  ///< the value, where it is one
  std::optional<Turn> found_;
};

/// Puts one side of a turn in its place.
class Chooser final : public ir::Mutator {
 public:
  Chooser(const ir::ExprNode* node, Expr side) : node_(node), side_(std::move(side)) {}

 private:
  using Mutator::rewrite;
  Expr rewrite(const ir::Select& e, const Expr& self) override {
    return &e == node_ ? side_ : Mutator::rewrite(e, self);
  }
  Expr rewrite(const ir::Binary& e, const Expr& self) override {
    return &e == node_ ? side_ : Mutator::rewrite(e, self);
  }

  const ir::ExprNode* node_;
  Expr side_;
};

class Splitter final : public ir::Mutator {
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const auto* store = s.body.as_or_null<ir::Store>();
    const auto begin = ir::try_constant(s.begin);
    const auto end = ir::try_constant(s.end);
    if (store == nullptr || !begin || !end || !may_cut(s, *store)) {
      return Mutator::rewrite(s, self);
    }
    loops_ = 1;
    return cut({s, *store, *begin, *end, s.for_kind}, s.for_kind, self);
  }

  /// Vectorized loops, and such whose iterations need what the one before has stored.
  static bool may_cut(const ir::For& s, const ir::Store& store) {
    return s.for_kind == ir::ForKind::Vectorized ||
           (s.for_kind == ir::ForKind::Serial && ir::uses(store.value, store.buffer));
  }

  /// A part of a loop whose body is a store.
  struct Part {
    const ir::For& loop;
    const ir::Store& store;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    ir::ForKind whole = ir::ForKind::Vectorized;  ///< of the loop
  };

  /// `self` is the loop over the part.
  Stmt cut(const Part& part, ir::ForKind kind, const Stmt& self) {
    if (kind != part.whole || loops_ > kMostLoops) return self;
    const auto turn = TurnFinder(part.loop.var, part.begin, part.end).in(part.store.value);
    if (!turn) return self;
    const Inside& inside = turn->inside;
    const auto with = [&](const Expr& side) { return Chooser(turn->node, side)(part.store.value); };
    const auto outside = [&] { return run(part, part.begin, part.end, with(turn->elsewhere)); };
    if (inside.begin >= inside.end || is_known(inside.others, false)) return outside();
    const auto parts = [&] {
      std::vector<Stmt> out;
      const Expr if_false = with(turn->elsewhere);
      if (part.begin < inside.begin) out.push_back(run(part, part.begin, inside.begin, if_false));
      out.push_back(run(part, inside.begin, inside.end, with(turn->within)));
      if (inside.end < part.end) out.push_back(run(part, inside.end, part.end, if_false));
      return ir::Block::make(std::move(out), part.loop.where);
    };
    if (!inside.others.defined() || is_known(inside.others, true)) return parts();
    known_.emplace_back(inside.others, true);
    const Stmt where_it_holds = parts();
    known_.back().second = false;
    const Stmt elsewhere = outside();
    known_.pop_back();
    return ir::If::make(inside.others, where_it_holds, elsewhere, part.loop.where);
  }

  /// The iterations of a part that store a value, which another choice may cut.
  Stmt run(const Part& part, std::int64_t from, std::int64_t to, const Expr& value) {
    ++loops_;
    // Registers have no addresses that a loop could count.
    const bool is_short = to - from < kFewest && (from > part.begin || to < part.end) &&
                          part.store.buffer->scope != "register";
    const ir::ForKind kind = is_short ? ir::ForKind::Serial : part.loop.for_kind;
    const Stmt one =
        ir::Store::make(part.store.buffer, part.store.indices, value, part.store.where);
    const Stmt loop =
        ir::For::make(part.loop.var, ir::index(from), ir::index(to), kind, one, part.loop.where);
    return cut({loop.as<ir::For>(), one.as<ir::Store>(), from, to, part.whole}, kind, loop);
  }

  /// Whether a condition around the part says that another one, undefined: none, holds or does not.
  bool is_known(const Expr& condition, bool holds) const {
    return condition.defined() && std::any_of(known_.begin(), known_.end(), [&](const auto& known) {
             return known.second == holds && ir::equal(known.first, condition);
           });
  }

  std::vector<std::pair<Expr, bool>> known_;  ///< conditions around, and whether they hold
  int loops_ = 1;                             ///< that the present loop has become
};

}  // namespace

Stmt split_selects(const Stmt& s) { return Splitter()(s); }

}  // namespace solway::lowering
