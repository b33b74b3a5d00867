#include "lowering/simplify_bounds.h"

#include <numeric>
#include <optional>
#include <utility>

#include "lowering/ir/divisions.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Range;
using ir::Stmt;

/// The value of a comparison of x with 0 where x lies in `d`; nullopt when both are possible.
std::optional<bool> decide(BinaryOp op, const Range& d) {
  const auto sure = [](bool always, bool never) -> std::optional<bool> {
    if (always) return true;
    return never ? std::optional(false) : std::nullopt;
  };
  if (op == BinaryOp::Lt) return sure(d.hi < 0, d.lo >= 0);
  if (op == BinaryOp::Le) return sure(d.hi <= 0, d.lo > 0);
  if (op == BinaryOp::Gt) return sure(d.lo > 0, d.hi <= 0);
  if (op == BinaryOp::Ge) return sure(d.lo >= 0, d.hi < 0);
  const bool is_zero = d.lo == 0 && d.hi == 0;
  const bool is_never_zero = d.lo > 0 || d.hi < 0;
  if (op == BinaryOp::Eq) return sure(is_zero, is_never_zero);
  return sure(is_never_zero, is_zero);
}

class BoundSimplifier final : public ir::Mutator {
 public:
  explicit BoundSimplifier(ir::Ranges ranges = {}) : ranges_(std::move(ranges)) {}

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const Expr begin = mutate(s.begin);
    const Expr end = mutate(s.end);
    const bool is_same = begin.same_as(s.begin) && end.same_as(s.end);
    const Stmt head =
        is_same ? self : ir::For::make(s.var, begin, end, s.for_kind, s.body, s.where);
    const auto range = try_range(head.as<ir::For>(), ranges_);
    if (range) ranges_[s.var] = *range;
    const Stmt body = mutate(s.body);
    ranges_.erase(s.var);
    if (body.same_as(s.body)) return head;
    return ir::For::make(s.var, begin, end, s.for_kind, body, s.where);
  }

  Expr rewrite(const ir::Binary& e, const Expr& self) override {
    const Expr rewritten = Mutator::rewrite(e, self);
    const ir::Binary& n = rewritten.as<ir::Binary>();
    if (n.a.type() != ir::kInt64) return rewritten;
    // A tile that is counted alone leaves io - io // 2 * 2.
    if (n.op == BinaryOp::Sub && !rewritten.same_as(self)) return simplify_divisions(rewritten);
    // Differences say something only where neither side wraps.
    if (!try_range(n.a, ranges_) || !try_range(n.b, ranges_)) return rewritten;
    if (n.op == BinaryOp::FloorDiv || n.op == BinaryOp::Mod) return divide(n, rewritten);
    const bool is_choice = n.op == BinaryOp::Min || n.op == BinaryOp::Max;
    if (!is_choice && !is_comparison(n.op)) return rewritten;
    const auto d = try_range(ir::linear_of(n.a) - ir::linear_of(n.b), ranges_);
    if (!d) return rewritten;
    if (is_choice) {
      const bool takes_smaller = n.op == BinaryOp::Min;
      if (d->hi <= 0) return takes_smaller ? n.a : n.b;
      if (d->lo >= 0) return takes_smaller ? n.b : n.a;
      return rewritten;
    }
    const auto value = decide(n.op, *d);
    return value ? ir::IntImm::make(*value ? 1 : 0, DType::Bool) : rewritten;
  }

  /// A sum as step * whole + rest.
  struct Parts {
    ir::Linear whole;
    ir::Linear rest;
  };

  /// The parts where rest lies in [0, step); nullopt when that is not known.
  std::optional<Parts> parts_of(const ir::Linear& x, std::int64_t step) const {
    Parts out;
    for (const auto& [key, term] : x.terms) {
      const bool divides = term.coefficient % step == 0;
      ir::Linear& part = divides ? out.whole : out.rest;
      part.terms[key] = {term.atom, divides ? term.coefficient / step : term.coefficient};
    }
    out.whole.constant = *ir::try_evaluate(BinaryOp::FloorDiv, x.constant, step, DType::Int64);
    out.rest.constant = *ir::try_evaluate(BinaryOp::Mod, x.constant, step, DType::Int64);
    const auto range = try_range(out.rest, ranges_);
    if (!range || range->lo < 0 || range->hi >= step) return std::nullopt;
    return out;
  }

  /// x // c and x % c where x = c * q + r with 0 <= r < c; and of x by c * m, a tile of c, m of
  /// which are counted, q // m and c * (q % m) + r.
  Expr divide(const ir::Binary& n, const Expr& self) {
    const auto divisor = ir::try_constant(n.b);
    if (!divisor || *divisor <= 0) return self;
    const ir::Linear x = ir::linear_of(n.a);
    if (!try_range(x, ranges_)) return self;
    if (const auto parts = parts_of(x, *divisor)) {
      return to_expr(n.op == BinaryOp::FloorDiv ? parts->whole : parts->rest);
    }
    std::optional<Parts> tiles;  // of the largest step
    std::int64_t largest = 1;
    for (const auto& [key, term] : x.terms) {
      const std::int64_t step = std::gcd(term.coefficient, *divisor);
      if (step <= largest || step == *divisor) continue;
      auto parts = parts_of(x, step);
      if (!parts || parts->rest.terms.empty()) continue;
      tiles = std::move(parts);
      largest = step;
    }
    if (!tiles) return self;
    const Expr counted = ir::fold(n.op, to_expr(tiles->whole), ir::index(*divisor / largest));
    if (n.op == BinaryOp::FloorDiv) return counted;
    return ir::add(ir::mul(counted, ir::index(largest)), to_expr(tiles->rest));
  }

  ir::Ranges ranges_;
};

}  // namespace

Stmt simplify_bounds(const Stmt& s) { return ir::simplify(BoundSimplifier()(s)); }

Expr simplify_within(const Expr& e, const ir::Ranges& ranges) {
  return ir::simplify(BoundSimplifier(ranges)(e));
}

}  // namespace solway::lowering
