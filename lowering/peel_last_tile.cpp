#include "lowering/peel_last_tile.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/range.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

/// Nested cuts multiply the code inside.
constexpr int kMostCopies = 16;

/// Where a loop is cut.
struct Cut {
  /// Of what a minimum in it has, minus what it has in whole tiles: not below 0 there. Its term of
  /// the loop's variable is -step.
  ir::Linear fact;
  std::int64_t step = 0;
  std::string var;
  Expr rest;               ///< what the minimum has in the last tile
  std::int64_t lanes = 0;  ///< of a whole tile in a vectorized loop beside unrolled ones; else 0

  /// The first value of the loop's variable whose tile is not whole.
  Expr end() const {
    ir::Linear left = fact;
    left.terms.erase(var);
    left.constant += step;
    return ir::simplify(ir::fold(BinaryOp::FloorDiv, ir::to_expr(left), ir::index(step)));
  }
};

/// The least that a term can be, of a variable with a known range.
std::optional<std::int64_t> least_of(const ir::Linear::Term& term, const ir::Ranges& ranges) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  const auto* var = term.atom.as_or_null<ir::Var>();
  const auto range = var == nullptr ? ranges.end() : ranges.find(var->name);
  if (range == ranges.end()) return std::nullopt;
  const std::int64_t end = term.coefficient < 0 ? range->second.hi : range->second.lo;
  if (std::abs(end) > kMost || std::abs(term.coefficient) > kMost) return std::nullopt;
  return term.coefficient * end;
}

/// The first cut that the end of a vectorized or unrolled loop inside of a loop asks for.
class CutFinder final : public ir::Visitor {
 public:
  explicit CutFinder(const ir::For& loop) : var_(loop.var) {
    walk(loop.body);
    if (found && !has_unrolled_) found->lanes = 0;
  }
  std::optional<Cut> found;

 private:
  void visit(const ir::For& s) override {
    const bool is_copied =
        s.for_kind == ir::ForKind::Vectorized || s.for_kind == ir::ForKind::Unrolled;
    has_unrolled_ = has_unrolled_ || s.for_kind == ir::ForKind::Unrolled;
    if (is_copied && !found) {
      is_in_end_ = true;
      is_vectorized_ = s.for_kind == ir::ForKind::Vectorized;
      walk(s.end);
      is_in_end_ = false;
    }
    inner_[s.var] = ir::range_of(s, inner_);
    walk(s.body);
  }
  void visit(const ir::Let& s) override {
    inner_[s.var] = {INT64_MIN, INT64_MAX};
    walk(s.body);
  }
  void visit(const ir::Binary& e) override {
    if (!is_in_end_ || e.op != BinaryOp::Min || e.a.type() != ir::kInt64 || found) {
      Visitor::visit(e);
      return;
    }
    std::vector<Expr> operands = ir::operands_of(e.op, e.a);
    for (const Expr& other : ir::operands_of(e.op, e.b)) operands.push_back(other);
    for (const Expr& rest : operands) {
      for (const Expr& whole : operands) note(rest, whole, operands.size() > 2);
    }
  }

  /// A cut from where on `rest` is the smaller one, if the loop makes it smaller and `whole` not.
  /// Loops inside may only move them where a third operand limits them too, as the rows of a block
  /// that tiles do not divide: cuts of loops inside would not give these constant extents.
  void note(const Expr& rest, const Expr& whole, bool has_other) {
    if (ir::mentions(whole, var_) || ir::has_load(rest) || ir::has_load(whole)) return;
    Cut cut{ir::linear_of(rest) - ir::linear_of(whole), 0, var_, rest};
    if (is_vectorized_ && !has_inner(rest)) cut.lanes = ir::try_constant(whole).value_or(0);
    const auto own = cut.fact.terms.find(var_);
    if (own == cut.fact.terms.end() || own->second.coefficient >= 0) return;
    cut.step = -own->second.coefficient;
    if (!without_inner(cut.fact, has_other)) return;
    if (cut.fact.terms.size() < 2) return;  // constants are peel_tails' part
    const bool is_later = found && found->step == cut.step &&
                          found->fact.terms.size() == cut.fact.terms.size() &&
                          (ir::try_constant(to_expr(found->fact - cut.fact)).value_or(0) < 0);
    if (!found || is_later) found = std::move(cut);
  }

  /// For all values of the variables inside; false where something else depends on them.
  bool without_inner(ir::Linear& fact, bool may) const {
    for (auto term = fact.terms.begin(); term != fact.terms.end();) {
      const Expr& atom = term->second.atom;
      if (!has_inner(atom)) {
        if (atom.as_or_null<ir::Var>() == nullptr && ir::mentions(atom, var_)) return false;
        ++term;
        continue;
      }
      const auto least = may ? least_of(term->second, inner_) : std::nullopt;
      if (!least) return false;
      fact.constant += *least;
      term = fact.terms.erase(term);
    }
    return true;
  }

  bool has_inner(const Expr& e) const {
    return std::any_of(inner_.begin(), inner_.end(),
                       [&](const auto& known) { return ir::mentions(e, known.first); });
  }

  const std::string& var_;
  ir::Ranges inner_;  ///< of the variables that are defined inside of the loop
  bool is_in_end_ = false;
  bool is_vectorized_ = false;  ///< the loop in whose end it is
  bool has_unrolled_ = false;
};

/// Minima of a last tile that has not more than `lanes`.
class NarrowTile final : public ir::Mutator {
 public:
  NarrowTile(const Cut& cut, std::int64_t lanes) : cut_(cut), lanes_(lanes) {}

 private:
  using Mutator::rewrite;
  Expr rewrite(const ir::Binary& e, const Expr& self) override {
    if (e.op != BinaryOp::Min) return Mutator::rewrite(e, self);
    const auto is = [&](const Expr& rest, const Expr& whole) {
      return ir::equal(rest, cut_.rest) && ir::try_constant(whole) == cut_.lanes;
    };
    if (!is(e.a, e.b) && !is(e.b, e.a)) return Mutator::rewrite(e, self);
    return ir::min(cut_.rest, ir::index(lanes_));
  }

  const Cut& cut_;
  std::int64_t lanes_;
};

/// Minima of whole tiles.
class WholeTile final : public ir::Mutator {
 public:
  /// `known` are not below 0 either.
  WholeTile(const Cut& cut, const std::vector<ir::Linear>& known) : cut_(cut), known_(known) {}

 private:
  using Mutator::rewrite;
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const Expr begin = mutate(s.begin);
    const Expr end = mutate(s.end);
    const ir::Stmt bounded =
        ir::For::make(s.var, begin, ir::simplify(end), s.for_kind, s.body, s.where);
    ranges_[s.var] = ir::range_of(bounded.as<ir::For>(), ranges_);
    const Stmt body = mutate(s.body);
    ranges_.erase(s.var);
    const bool is_same = begin.same_as(s.begin) && end.same_as(s.end) && body.same_as(s.body);
    return is_same ? self : ir::For::make(s.var, begin, end, s.for_kind, body, s.where);
  }

  Expr rewrite(const ir::Binary& e, const Expr& self) override {
    if (e.op != BinaryOp::Min || e.type != ir::kInt64) return Mutator::rewrite(e, self);
    std::vector<Expr> operands = ir::operands_of(BinaryOp::Min, self);
    const std::size_t before = operands.size();
    for (std::size_t k = 0; k < operands.size();) {
      const bool is_more = std::any_of(operands.begin(), operands.end(), [&](const Expr& other) {
        return !other.same_as(operands[k]) && is_least(operands[k], other);
      });
      if (is_more) {
        operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        ++k;
      }
    }
    if (operands.size() == before) return Mutator::rewrite(e, self);
    Expr out = operands[0];
    for (std::size_t k = 1; k < operands.size(); ++k) out = ir::min(out, operands[k]);
    return out;
  }

  /// Whether a >= b as the fact tells of whole tiles.
  bool is_least(const Expr& a, const Expr& b) const {
    ir::Linear left = ir::linear_of(a) - ir::linear_of(b);
    std::int64_t unit = 1;
    for (const auto& [key, term] : left.terms) {
      if (const auto quotient = quotient_of(term)) unit = quotient->second;
    }
    left = without_quotient(left, unit);
    const auto own = left.terms.find(cut_.var);
    if (own == left.terms.end() || own->second.coefficient % cut_.step != 0) return false;
    const std::int64_t times = -own->second.coefficient / cut_.step;
    if (times <= 0) return false;
    for (std::int64_t k = 0; k < times && k < kMostTimes; ++k) left = left - cut_.fact;
    // A multiple of the unit that is more than one below 0 is not below 0.
    return is_more(left, -unit) ||
           std::any_of(known_.begin(), known_.end(),
                       [&](const ir::Linear& fact) { return is_more(left - fact, -unit); });
  }

  bool is_more(const ir::Linear& linear, std::int64_t than) const {
    std::int64_t least = linear.constant;
    for (const auto& [key, term] : linear.terms) {
      const auto value = least_of(term, ranges_);
      if (!value) return false;
      least += *value;
    }
    return least > than;
  }

  /// x and d of a term x // d.
  static std::optional<std::pair<Expr, std::int64_t>> quotient_of(const ir::Linear::Term& term) {
    const auto* n = term.atom.as_or_null<ir::Binary>();
    if (n == nullptr || n->op != BinaryOp::FloorDiv || term.coefficient != 1) return std::nullopt;
    const auto by = ir::try_constant(n->b);
    if (!by || *by < 2 || *by > kMostTimes) return std::nullopt;
    return std::pair{n->a, *by};
  }

  /// What is not more than `unit` times all, without the term x // unit: that times the unit is at
  /// least x - (unit - 1).
  static ir::Linear without_quotient(const ir::Linear& left, std::int64_t unit) {
    ir::Linear out;
    if (unit == 1) return left;
    out.constant = left.constant * unit;
    for (const auto& [key, term] : left.terms) {
      const auto quotient = quotient_of(term);
      if (quotient && quotient->second == unit) {
        ir::Linear negative;
        negative = negative - ir::linear_of(quotient->first);
        out = out - negative;
        out.constant -= unit - 1;
        continue;
      }
      ir::Linear negative;
      negative.terms[key] = {term.atom, -term.coefficient * unit};
      out = out - negative;
    }
    return out;
  }

  static constexpr std::int64_t kMostTimes = 4096;

  const Cut& cut_;
  const std::vector<ir::Linear>& known_;
  ir::Ranges ranges_;  ///< of the loops around, inside of the one that is cut
};

class LastTilePeeler final : public ir::Mutator {
 public:
  explicit LastTilePeeler(std::int64_t least_lanes) : least_lanes_(least_lanes) {}

 private:
  using Mutator::rewrite;
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const bool may = s.for_kind == ir::ForKind::Serial || s.for_kind == ir::ForKind::Parallel;
    const std::optional<Cut> cut =
        may && 2 * copies_ <= kMostCopies ? CutFinder(s).found : std::nullopt;
    if (!cut) return Mutator::rewrite(s, self);
    copies_ *= 2;
    const Stmt of_whole = ir::simplify(WholeTile(*cut, known_)(s.body));
    known_.push_back(cut->fact);
    const Stmt whole = mutate(of_whole);
    known_.back() = {{}, -1};
    known_.back() = known_.back() - cut->fact;
    const Stmt rest = last_tile(*cut, s.body);  // the minimum says how much there may be
    known_.pop_back();
    copies_ /= 2;
    if (s.for_kind == ir::ForKind::Parallel) {
      const Expr is_whole = ir::Binary::make(BinaryOp::Lt, ir::Var::make(s.var), cut->end());
      return with(s, s.begin, s.end, ir::If::make(is_whole, whole, rest, s.where));
    }
    return ir::Block::make({with(s, s.begin, ir::min(cut->end(), s.end), whole),
                            with(s, ir::max(cut->end(), s.begin), s.end, rest)},
                           s.where);
  }

  /// For tiles of half as many lanes, and half of these, by what is left.
  Stmt last_tile(const Cut& cut, const Stmt& body) {
    const Stmt all = mutate(body);
    const std::int64_t half = (cut.lanes + 1) / 2;
    if (least_lanes_ == 0 || half < least_lanes_) return all;
    Cut narrow = cut;
    narrow.lanes = half;
    const Stmt few = last_tile(narrow, NarrowTile(cut, half)(body));
    const Expr is_few = ir::Binary::make(BinaryOp::Le, cut.rest, ir::index(half));
    return ir::If::make(is_few, few, all, body.where());
  }

  static Stmt with(const ir::For& s, const Expr& begin, const Expr& end, const Stmt& body) {
    return ir::For::make(s.var, begin, end, s.for_kind, body, s.where);
  }

  std::int64_t least_lanes_;
  std::vector<ir::Linear> known_;  ///< of the loops around: not below 0
  int copies_ = 1;                 ///< of the present statement
};

}  // namespace

Stmt peel_last_tile(const Stmt& s, std::int64_t least_lanes) {
  return LastTilePeeler(least_lanes)(s);
}

}  // namespace solway::lowering
