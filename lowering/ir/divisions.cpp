#include "lowering/ir/divisions.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/printer.h"

namespace solway::ir {
namespace {

/// Sums of larger numbers are left alone, so that nothing here overflows.
constexpr std::int64_t kLargest = std::int64_t{1} << 30;

std::int64_t modulo(std::int64_t a, std::int64_t b) {
  return *try_evaluate(BinaryOp::Mod, a, b, DType::Int64);
}
std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return *try_evaluate(BinaryOp::FloorDiv, a, b, DType::Int64);
}

/// constant + the sum of coefficient * atom, in the order in which the atoms came.
struct Sum {
  struct Term {
    Expr atom;
    std::int64_t coefficient = 0;
  };
  std::vector<Term> terms;  ///< no coefficient is 0
  std::int64_t constant = 0;

  std::int64_t coefficient_of(const Expr& atom) const {
    const auto at = std::find_if(terms.begin(), terms.end(),
                                 [&](const Term& term) { return equal(term.atom, atom); });
    return at == terms.end() ? 0 : at->coefficient;
  }

  void add(const Expr& atom, std::int64_t coefficient) {
    const auto at = std::find_if(terms.begin(), terms.end(),
                                 [&](const Term& term) { return equal(term.atom, atom); });
    if (at == terms.end()) {
      if (coefficient != 0) terms.push_back({atom, coefficient});
    } else if ((at->coefficient += coefficient) == 0) {
      terms.erase(at);
    }
  }

  void add(const Sum& other, std::int64_t factor) {
    for (const Term& term : other.terms) add(term.atom, factor * term.coefficient);
    constant += factor * other.constant;
  }

  bool is_small() const {
    return std::abs(constant) < kLargest &&
           std::all_of(terms.begin(), terms.end(),
                       [](const Term& term) { return std::abs(term.coefficient) < kLargest; });
  }

  /// What is added first, then what is taken away.
  Expr to_expr() const {
    Expr out =
        index(constant > 0 && std::none_of(terms.begin(), terms.end(),
                                           [](const Term& term) { return term.coefficient > 0; })
                  ? constant
                  : 0);
    const bool has_constant = try_constant(out) != 0;
    for (const Term& term : terms) {
      if (term.coefficient > 0) out = ir::add(out, mul(term.atom, index(term.coefficient)));
    }
    for (const Term& term : terms) {
      if (term.coefficient < 0) out = sub(out, mul(term.atom, index(-term.coefficient)));
    }
    if (has_constant) return out;
    return constant < 0 ? sub(out, index(-constant)) : ir::add(out, index(constant));
  }
};

/// A dividend as divisor * whole + sign * rest.
struct Parts {
  Sum whole;
  Sum rest;
  int sign = 1;

  std::int64_t cost() const {
    std::int64_t out = 0;
    for (const Sum::Term& term : rest.terms) out += std::abs(term.coefficient);
    return out;
  }
};

/// The parts whose coefficients are the smallest; of several, the first without a minus.
Parts parts_of(const Sum& dividend, std::int64_t divisor) {
  Parts positive, negative, truncated;
  negative.sign = -1;
  for (const Sum::Term& term : dividend.terms) {
    const std::int64_t a = term.coefficient;
    positive.rest.add(term.atom, modulo(a, divisor));
    positive.whole.add(term.atom, floor_div(a, divisor));
    negative.rest.add(term.atom, modulo(-a, divisor));
    negative.whole.add(term.atom, -floor_div(-a, divisor));
    truncated.rest.add(term.atom, a % divisor);
    truncated.whole.add(term.atom, a / divisor);
  }
  const Parts& one = negative.cost() < positive.cost() ? negative : positive;
  return truncated.cost() < one.cost() ? truncated : one;
}

Sum atom(const Expr& e) {
  Sum out;
  out.add(e, 1);
  return out;
}

/// The greatest divisor that all coefficients and `divisor` share.
std::int64_t shared_divisor(const Sum& sum, std::int64_t divisor) {
  for (const Sum::Term& term : sum.terms) divisor = std::gcd(divisor, term.coefficient);
  return divisor;
}

/// The sum over `divisor`, which divides its coefficients; of the constant, the floor.
Sum over(const Sum& sum, std::int64_t divisor) {
  Sum out;
  for (const Sum::Term& term : sum.terms) out.add(term.atom, term.coefficient / divisor);
  out.constant = floor_div(sum.constant, divisor);
  return out;
}

/// sum // divisor, and sum % divisor, of sums with small coefficients.
Sum quotient_of(const Sum& sum, std::int64_t divisor) {
  const std::int64_t shared = shared_divisor(sum, divisor);
  const Sum reduced = over(sum, shared);
  if (shared == divisor) return reduced;
  return atom(Binary::make(BinaryOp::FloorDiv, reduced.to_expr(), index(divisor / shared)));
}

Sum rest_of(const Sum& sum, std::int64_t divisor) {
  const std::int64_t shared = shared_divisor(sum, divisor);
  Sum out;
  if (shared != divisor) {
    out.add(Binary::make(BinaryOp::Mod, over(sum, shared).to_expr(), index(divisor / shared)),
            shared);
  }
  out.constant = modulo(sum.constant, shared);
  return out;
}

/// dividend // divisor. Of a negated rest: -r // d = -((r + d - 1) // d).
Sum divided(const Sum& dividend, std::int64_t divisor) {
  Parts parts = parts_of(dividend, divisor);
  const std::int64_t constant =
      parts.sign > 0 ? dividend.constant : divisor - 1 - dividend.constant;
  parts.rest.constant = modulo(constant, divisor);
  Sum out = parts.whole;
  out.constant = parts.sign * floor_div(constant, divisor);
  out.add(quotient_of(parts.rest, divisor), parts.sign);
  return out;
}

/// dividend % divisor. Of a negated rest: -r % d = d - 1 - (r - 1) % d.
Sum remainder(const Sum& dividend, std::int64_t divisor) {
  Parts parts = parts_of(dividend, divisor);
  Sum out;
  if (parts.sign > 0) {
    parts.rest.constant = modulo(dividend.constant, divisor);
  } else {
    parts.rest.constant = modulo(-dividend.constant - 1, divisor);
    out.constant = divisor - 1;
  }
  out.add(rest_of(parts.rest, divisor), parts.sign);
  return out;
}

bool is_division(const Expr& e, BinaryOp op) {
  const auto* node = e.as_or_null<Binary>();
  return node != nullptr && node->op == op && try_constant(node->b).value_or(0) > 0;
}

bool is_int64(const Expr& e) { return e.type() == kInt64; }

/// Whether it is a sum, a product with a constant, or a quotient or remainder by one.
bool is_arithmetic(const Expr& e) {
  const auto* node = e.as_or_null<Binary>();
  if (node == nullptr || !is_int64(e)) return false;
  if (node->op == BinaryOp::Add || node->op == BinaryOp::Sub) return true;
  if (node->op == BinaryOp::Mul) {
    return try_constant(node->a).has_value() || try_constant(node->b).has_value();
  }
  return is_division(e, BinaryOp::FloorDiv) || is_division(e, BinaryOp::Mod);
}

class Divisions final : public Mutator {
  Expr rewrite(const Binary& e, const Expr& self) override {
    if (!is_arithmetic(self)) return Mutator::rewrite(e, self);
    has_division_ = false;
    is_small_ = true;
    Sum sum = sum_of(self);
    const bool is_known = has_division_ && is_small_;
    if (!is_known) return Mutator::rewrite(e, self);
    join_remainders(sum);
    const Expr out = sum.to_expr();
    return to_string(out).size() < to_string(self).size() ? out : self;
  }

  Sum sum_of(const Expr& e) {
    Sum out;
    if (const auto value = try_constant(e)) {
      out.constant = *value;
    } else if (!is_arithmetic(e)) {
      out.add(e, 1);
    } else {
      out = sum_of(e.as<Binary>());
    }
    is_small_ = is_small_ && out.is_small();
    return is_small_ ? out : Sum{};
  }

  Sum sum_of(const Binary& node) {
    if (node.op == BinaryOp::Mul) {
      const auto factor = try_constant(node.b);
      Sum out;
      const std::int64_t times = factor ? *factor : *try_constant(node.a);
      is_small_ = is_small_ && std::abs(times) < kLargest;
      if (is_small_) out.add(sum_of(factor ? node.a : node.b), times);
      return out;
    }
    Sum a = sum_of(node.a);
    if (node.op == BinaryOp::FloorDiv || node.op == BinaryOp::Mod) {
      const std::int64_t divisor = *try_constant(node.b);
      has_division_ = true;
      is_small_ = is_small_ && divisor < kLargest;
      if (!is_small_) return {};
      return node.op == BinaryOp::Mod ? remainder(a, divisor) : divided(a, divisor);
    }
    a.add(sum_of(node.b), node.op == BinaryOp::Sub ? -1 : 1);
    return a;
  }

  /// c * (n // d) - c * m * (n // (d * m)) is c * ((n // d) % m); with d = 1, n may be any sum.
  void join_remainders(Sum& sum) {
    for (bool joined = true; joined;) {
      joined = false;
      for (const Sum::Term& term : sum.terms) {
        if (!is_division(term.atom, BinaryOp::FloorDiv)) continue;
        if (const auto better = try_join(sum, term)) {
          sum = *better;
          joined = true;
          break;
        }
      }
    }
  }

  std::optional<Sum> try_join(const Sum& sum, const Sum::Term& quotient) {
    const auto& node = quotient.atom.as<Binary>();
    const std::int64_t divisor = *try_constant(node.b);
    const Sum dividend = sum_of(node.a);
    for (const Sum::Term& other : sum.terms) {
      // quotient.coefficient = -c * m and divisor = d * m, where c is that of the other term.
      const std::int64_t c = std::abs(other.coefficient) * (quotient.coefficient < 0 ? 1 : -1);
      const std::int64_t times = -quotient.coefficient / c;
      if (times < 2 || times * c != -quotient.coefficient || divisor % times != 0) continue;
      const std::int64_t d = divisor / times;
      const Sum inner = d == 1 ? dividend : divided(dividend, d);
      const bool is_there =
          std::all_of(inner.terms.begin(), inner.terms.end(), [&](const Sum::Term& term) {
            return sum.coefficient_of(term.atom) == c * term.coefficient;
          });
      if (!is_there || inner.terms.empty()) continue;
      Sum out = sum;
      out.add(quotient.atom, -quotient.coefficient);
      out.add(inner, -c);
      const Expr over_d =
          d == 1 ? node.a : Expr(Binary::make(BinaryOp::FloorDiv, node.a, index(d)));
      out.add(Binary::make(BinaryOp::Mod, over_d, index(times)), c);
      return out;
    }
    return std::nullopt;
  }

  bool has_division_ = false;
  bool is_small_ = true;
};

}  // namespace

Expr simplify_divisions(const Expr& e) { return Divisions()(e); }

}  // namespace solway::ir
