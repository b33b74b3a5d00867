#include "lowering/ir/join_digits.h"

#include <cstdint>
#include <optional>

#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"

namespace solway::ir {
namespace {

/// number // divisor, with a positive divisor.
struct Quotient {
  Expr number;
  std::int64_t divisor = 1;
};

/// (number // divisor) % modulus, with a positive modulus.
struct Digit {
  Quotient quotient;
  std::int64_t modulus = 1;
};

std::optional<std::int64_t> product(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
}

/// The positive constant that `e` is divided by, or that a remainder is taken of.
std::optional<std::int64_t> positive_operand(const Expr& e, BinaryOp op) {
  const auto* binary = e.as_or_null<Binary>();
  if (binary == nullptr || binary->op != op) return std::nullopt;
  const auto value = try_constant(binary->b);
  return value && *value > 0 ? value : std::nullopt;
}

/// Floors of floors are one floor: (f // 10) // 12 = f // 120.
Quotient quotient_of(const Expr& e) {
  Quotient out{e};
  while (const auto by = positive_operand(out.number, BinaryOp::FloorDiv)) {
    const auto divisor = product(out.divisor, *by);
    if (!divisor) break;
    out = {out.number.as<Binary>().a, *divisor};
  }
  return out;
}

std::optional<Digit> digit_of(const Expr& e) {
  const Quotient whole = quotient_of(e);
  const auto modulus = positive_operand(whole.number, BinaryOp::Mod);
  // (f % 120) // 10 = (f // 10) % 12
  if (!modulus || *modulus % whole.divisor != 0) return std::nullopt;
  Quotient inside = quotient_of(whole.number.as<Binary>().a);
  const auto divisor = product(inside.divisor, whole.divisor);
  if (!divisor) return std::nullopt;
  return Digit{{inside.number, *divisor}, *modulus / whole.divisor};
}

/// `linear` with one pair joined; nullopt when there is none.
std::optional<Expr> join_one(const Linear& linear) {
  for (const auto& [low_key, low] : linear.terms) {
    const auto digit = digit_of(low.atom);
    if (!digit) continue;
    const auto above = product(digit->quotient.divisor, digit->modulus);
    const auto coefficient = product(low.coefficient, digit->modulus);
    if (!above || !coefficient) continue;
    for (const auto& [high_key, high] : linear.terms) {
      const Quotient quotient = quotient_of(high.atom);
      if (high.coefficient != *coefficient || quotient.divisor != *above ||
          !equal(quotient.number, digit->quotient.number)) {
        continue;
      }
      Linear rest = linear;
      rest.terms.erase(low_key);
      rest.terms.erase(high_key);
      const Expr joined = fold(BinaryOp::FloorDiv, quotient.number, index(digit->quotient.divisor));
      return add(to_expr(rest), mul(joined, index(low.coefficient)));
    }
  }
  return std::nullopt;
}

}  // namespace

Expr join_digits(const Expr& e) {
  Expr out = e;
  bool has_joined = false;
  while (const auto joined = join_one(linear_of(out))) {
    out = *joined;
    has_joined = true;
  }
  return has_joined ? to_expr(linear_of(out)) : e;
}

}  // namespace solway::ir
